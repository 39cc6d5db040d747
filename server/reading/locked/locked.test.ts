import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { lockedPdf } from '../testing/locked.ts';
import { readAll } from '../testing/office.ts';
import { derivedPasswords } from './derived.ts';

interface Office extends World {
  actor: Actor;
}

const test = suite<Office>('locked PDFs');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.actor = await office.build.actor();
});
test.after.each((office) => office.close());

const LINES = ['Annual Information Statement of Meera Sharma'];
const code = (error: { code?: string }) => error.code;
const MEERA = {
  name: 'Meera Sharma',
  client_type: 'Individual',
  pan: 'ZZZPS0000A',
  born_on: '1990-04-07',
} as const;

test('at most twelve passwords that portals use are derived from the PAN, date of birth and name of a client', () => {
  const all = derivedPasswords(MEERA);
  for (const one of ['zzzps0000a07041990', '07041990', 'MEER1990', 'ZZZPS0000A'])
    assert.ok(all.includes(one), one);
  assert.ok(all.length <= 12);
  assert.equal(derivedPasswords({ name: 'Li', pan: null, born_on: null }), []);
});

test('a PDF that the tax portal locked with the PAN and date of birth of its client is read without asking for a password', async (office) => {
  const { services, build, actor, db } = office;
  const client_id = await build.client(actor, MEERA.name, MEERA);
  const content = lockedPdf('zzzps0000a07041990', LINES);
  const filed = await build.file(actor, { name: 'AIS.pdf', content, client_id });
  await readAll(office);
  const { state, texts } = await services.reading.text(actor, filed.id);
  assert.is(state, 'read');
  assert.match(texts[0]!.text, LINES[0]!);
  assert.equal(await services.unlocking.password(actor, filed.id), { password: 'zzzps0000a07041990' });
  const rows = await db('pdf_passwords');
  assert.not.ok(
    rows.some(({ sealed }) => Buffer.from(sealed).includes('07041990')),
    'it lies sealed',
  );
});

test('a password entered once unlocks a PDF for reading and for previews, and the client’s next document', async (office) => {
  const { services, build, actor, db } = office;
  const client_id = await build.client(actor, MEERA.name, MEERA);
  const put = (name: string, line: string) =>
    build.file(actor, { name, content: lockedPdf('HDFC@4410', [line]), client_id });
  const first = await put('april.pdf', 'Statement of April');
  await readAll(office);
  const before = await services.reading.state(actor, first.id);
  assert.equal([before.state, before.reason], ['refused', 'locked']);
  assert.is(await services.previews.thumbnail(actor, first.id), null);
  assert.equal(await services.unlocking.password(actor, first.id), { password: null });
  await services.unlocking.unlock(actor, first.id, { password: 'hdfc', remember: true }).then(
    () => assert.unreachable(),
    (error) => assert.is(code(error), 'wrong_password'),
  );
  await services.unlocking.unlocked(actor, first.id).then(
    () => assert.unreachable(),
    (error) => assert.is(code(error), 'locked'),
  );
  await services.unlocking.unlock(actor, first.id, { password: 'HDFC@4410', remember: true });
  await readAll(office);
  assert.is((await services.reading.state(actor, first.id)).state, 'read');
  assert.ok(await services.previews.thumbnail(actor, first.id), 'it has a picture now');
  const second = await put('may.pdf', 'Statement of May');
  await readAll(office);
  assert.is((await services.reading.state(actor, second.id)).state, 'read');

  const { name, bytes } = await services.unlocking.unlocked(actor, second.id);
  assert.is(name, 'may (unlocked).pdf');
  assert.not.ok(bytes.includes('/Encrypt'), 'it opens without a password');
  const copy = await build.file(actor, { name, content: bytes });
  await readAll(office);
  assert.is((await services.reading.state(actor, copy.id)).state, 'read');
  const [record] = await db('audit_events').where({ did: 'document.download', subject: `item:${second.id}` });
  assert.match(String(record?.detail ?? JSON.stringify(record)), 'without_password');
});

test('a view-only user gets neither the password nor an unlocked copy of the document', async (office) => {
  const { services, build, actor } = office;
  const { id } = await build.file(actor, { name: 'a.pdf', content: lockedPdf('x', LINES) });
  const looker: Actor = {
    ...actor,
    permissions: actor.permissions.filter((one) => one !== 'documents.download'),
  };
  for (const ask of [
    () => services.unlocking.password(looker, id),
    () => services.unlocking.unlocked(looker, id),
    () => services.unlocking.unlock(looker, id, { password: 'x', remember: false }),
  ])
    await ask().then(
      () => assert.unreachable(),
      (error) => assert.is(code(error), 'look_only'),
    );
});

test('a password entered for a document of one client does not open an identical copy for a user who may not see that client', async (office) => {
  const { services, build, actor } = office;
  const [meera, anil] = [await build.client(actor, MEERA.name), await build.client(actor, 'Anil Rao')];
  const content = lockedPdf('HDFC@4410', LINES);
  const hers = await build.file(actor, { name: 'hers.pdf', content, client_id: meera });
  const his = await build.file(actor, { name: 'his.pdf', content, client_id: anil });
  await services.unlocking.unlock(actor, hers.id, { password: 'HDFC@4410', remember: false });
  assert.equal(await services.unlocking.password(actor, his.id), { password: 'HDFC@4410' });
  const ravi = await build.colleague(actor, { role: 'staff', client_scope: 'assigned' });
  const only = { client_scope: 'assigned' as const, client_ids: [anil], groups: [] };
  await services.access.assign(actor, ravi.actor.userId, only);
  assert.equal(await services.unlocking.password(ravi.actor, his.id), { password: null });
  assert.is(await services.previews.thumbnail(ravi.actor, his.id), null);
  await services.unlocking.unlock(ravi.actor, his.id, { password: 'HDFC@4410', remember: false });
  assert.equal(await services.unlocking.password(ravi.actor, his.id), { password: 'HDFC@4410' });
  assert.equal(await services.unlocking.password(actor, hers.id), { password: 'HDFC@4410' });
});

test.run();
