import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DriveWorld, Program } from './testing/drive.ts';
import { caller, driveWorld, slowCaller } from './testing/drive.ts';

interface Office extends DriveWorld {
  /** Two computers with one app password, of which the second has a slow line. */
  fast: Program;
  slow: ReturnType<typeof slowCaller>;
}

const test = suite<Office>('what happens on the drive while a file arrives');
test.before.each(async (office) => {
  const world = await driveWorld();
  const { user, password } = await world.credentials();
  Object.assign(office, world, {
    fast: caller(world.base, user, password),
    slow: slowCaller(world.base, user, password),
  });
});
test.after.each((office) => office.close());

/** The texts that a document has and had, the present one first. */
async function contents({ services, actor, blobs }: Office, name: string): Promise<string[]> {
  const { id } = (await services.documents.childNamed(actor, null, name))!;
  const { earlier } = await services.versions.list(actor, id);
  const texts = [];
  for (const ref of [id, ...earlier.map((version) => ({ item: id, version: version.id! }))]) {
    const { blob_id } = await services.documents.openFile(actor, ref);
    texts.push((await Array.fromAsync(await blobs.get(blob_id))).map(String).join(''));
  }
  return texts;
}

test('a save that was checked before another one of the same file is refused, so that no acknowledged save is lost', async (office) => {
  const { fast, slow } = office;
  const path = '/dav/GSTR-3B%20working.txt';
  const made = await fast('PUT', path, { body: 'April' });
  const headers = { 'if-match': String(made.headers.etag) };
  const finish = await slow(path, 'April and June', headers);
  assert.is((await fast('PUT', path, { body: 'April and May', headers })).status, 204);
  assert.is((await finish()).status, 412);
  assert.is((await fast('GET', path)).text, 'April and May');
});

test('a save without conditions keeps what was saved while it arrived as a version, since neither has seen the other', async (office) => {
  const { fast, slow } = office;
  const name = 'Ledger of Mehta Traders.txt';
  const path = `/dav/${encodeURIComponent(name)}`;
  await fast('PUT', path, { body: 'opening' });
  const finish = await slow(path, 'with the bank');
  assert.is((await fast('PUT', path, { body: 'with the cash book' })).status, 204);
  assert.is((await finish()).status, 204);
  assert.equal(await contents(office, name), ['with the bank', 'with the cash book', 'opening']);
  const later = await slow('/dav/New.txt', 'of the slow one');
  assert.is((await fast('PUT', '/dav/New.txt', { body: 'of the fast one' })).status, 201);
  assert.is((await later()).status, 204);
  assert.equal(await contents(office, 'New.txt'), ['of the slow one', 'of the fast one']);
});

test('of two files that must not exist yet only the first that is complete is saved', async (office) => {
  const { fast, slow } = office;
  const headers = { 'if-none-match': '*' };
  const finish = await slow('/dav/Form%2016.txt', 'slow', headers);
  assert.is((await fast('PUT', '/dav/Form%2016.txt', { body: 'fast', headers })).status, 201);
  assert.is((await finish()).status, 412);
  const both = await Promise.all(
    ['one', 'two'].map((body) => fast('PUT', '/dav/Form%2026AS.txt', { body, headers })),
  );
  assert.equal(both.map(({ status }) => status).toSorted(), [201, 412]);
  assert.equal((await office.names()).toSorted(), ['Form 16.txt', 'Form 26AS.txt']);
});

const LOCK =
  '<d:lockinfo xmlns:d="DAV:"><d:lockscope><d:exclusive/></d:lockscope><d:locktype><d:write/></d:locktype></d:lockinfo>';

test('a document that another program locks while a save of it arrives is not overwritten', async (office) => {
  const { dav, fast, slow } = office;
  await fast('PUT', '/dav/Balance%20sheet.txt', { body: 'audited' });
  const finish = await slow('/dav/Balance%20sheet.txt', 'old figures');
  const locked = await dav('LOCK', '/dav/Balance%20sheet.txt', { body: LOCK });
  assert.is(locked.status, 200);
  assert.is((await finish()).status, 423);
  assert.is((await dav('GET', '/dav/Balance%20sheet.txt')).text, 'audited');
});

test('a save of the program that has the lock arrives also when the lock ends meanwhile, unless another takes it', async (office) => {
  const { dav, fast, slow } = office;
  const path = '/dav/Notes.txt';
  await fast('PUT', path, { body: 'old' });
  const token = String((await fast('LOCK', path, { body: LOCK })).headers['lock-token']);
  const finish = await slow(path, 'new', { if: `(${token})` });
  assert.is((await fast('UNLOCK', path, { headers: { 'lock-token': token } })).status, 204);
  assert.is((await finish()).status, 204);
  assert.is((await dav('GET', path)).text, 'new');
});

test('a document that is deleted, or whose place becomes a folder, while a save of it arrives is answered by what is there then', async (office) => {
  const { dav, slow } = office;
  await dav('PUT', '/dav/a.txt', { body: 'old' });
  const first = await slow('/dav/a.txt', 'new');
  await dav('DELETE', '/dav/a.txt');
  assert.is((await first()).status, 201);
  assert.is((await dav('GET', '/dav/a.txt')).text, 'new');
  const second = await slow('/dav/b.txt', 'new');
  await dav('MKCOL', '/dav/b.txt');
  assert.is((await second()).status, 405);
  await dav('MKCOL', '/dav/Client');
  const third = await slow('/dav/Client/c.txt', 'new');
  await dav('DELETE', '/dav/Client');
  assert.is((await third()).status, 409);
});

test('a save whose app password was ended, or may only read by then, is refused, since its bytes may be a thief’s', async (office) => {
  const { fast, slow, services, actor, db } = office;
  const path = '/dav/Will%20of%20Meera.txt';
  await fast('PUT', path, { body: 'signed' });
  const first = await slow(path, 'forged');
  await db('app_passwords').where({ name: 'A tool' }).update({ read_only: true });
  assert.is((await first()).status, 403);
  await db('app_passwords').update({ read_only: false });
  const [second, temporary] = [await slow(path, 'forged'), await slow('/dav/Draft.tmp', 'forged')];
  const [one] = (await services.drivePasswords.list(actor, '::1')).filter(({ name }) => name === 'A tool');
  await services.drivePasswords.end(actor, one!.id);
  for (const finish of [second, temporary]) assert.is((await finish()).status, 401);
  assert.is((await office.dav('GET', path)).text, 'signed');
  assert.is((await office.dav('GET', '/dav/Draft.tmp')).status, 404);
});

test('a slow line does not end the work of a program whose app password holds', async (office) => {
  const { fast, slow } = office;
  await fast('PUT', '/dav/a.txt', { body: 'a' });
  const finish = await slow('/dav/a.txt', LOCK, {}, 'LOCK');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.is((await finish()).status, 200);
});

test.run();
