import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { keepAnchor, lostAnchors, readAnchor } from './anchor.ts';
import { createChain } from './chain.ts';
import { createAudit } from './service.ts';

interface Office extends World {
  actor: Actor;
  /** Changes the database as anybody with access to its file could, without the triggers that forbid it. */
  tamper(sql: string, bindings?: (string | number | Buffer)[]): Promise<void>;
  faults(): Promise<string[]>;
}

const GUARDS = ['update', 'relink', 'delete'].map((verb) => `audit_events_no_${verb}`);

const test = suite<Office>('the chain of the history');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.actor = await office.build.actor();
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await office.build.file(office.actor, { name });
  office.tamper = async (sql, bindings = []) => {
    for (const guard of GUARDS) await office.db.raw(`DROP TRIGGER IF EXISTS ${guard}`);
    await office.db.raw(sql, bindings);
  };
  office.faults = async () => (await office.services.audit.prove(null)).faults;
});
test.after.each((office) => office.close());

test('an intact history is proven, also with concurrent and rolled back transactions', async (office) => {
  const { services, actor, db } = office;
  await db
    .transaction(async (trx) => {
      await services.audit.record(trx, { actor, did: 'document.rename' });
      throw new Error('undone');
    })
    .catch(() => {});
  await Promise.all(Array.from({ length: 20 }, (_, n) => office.build.file(actor, { name: `${n}.pdf` })));
  const { faults, entries } = await services.audit.prove(null);
  assert.equal(faults, []);
  assert.is(entries, 24);
});

for (const [what, sql, expected] of [
  [
    'changed',
    `UPDATE audit_events SET detail = '{"name":"x.pdf"}' WHERE id = 3`,
    /entry 3 \(Uploaded, .* was changed/,
  ],
  [
    'attributed to somebody else',
    'UPDATE audit_events SET user_id = NULL WHERE id = 2',
    /entry 2 .* was changed/,
  ],
  ['taken out', 'DELETE FROM audit_events WHERE id = 2', /between entries 1 and 3 .* taken out/],
  ['taken out at the beginning', 'DELETE FROM audit_events WHERE id = 1', /before entry 2 .* taken out/],
  ['cut off', 'DELETE FROM audit_events WHERE id > 2', /ended with entry 4, the 4th; now there are 2/],
  [
    'put in',
    `INSERT INTO audit_events (did, detail, at) VALUES ('document.delete', '{}', '2026-11-20T10:00:00.000Z')`,
    /entry 5 .* was put in/,
  ],
  [
    'put in with the hashes of another row',
    `INSERT INTO audit_events (did, detail, at, content, link)
     SELECT did, detail, at, content, link FROM audit_events WHERE id = 4`,
    /entry 5 .* was changed/,
  ],
] as const)
  test(`an entry that was ${what} is detected, and its place reported`, async (office) => {
    await office.tamper(sql);
    const faults = await office.faults();
    assert.match(faults.join('\n'), expected);
  });

test('two exchanged entries are detected', async (office) => {
  await office.tamper('UPDATE audit_events SET id = 99 WHERE id = 2');
  await office.tamper('UPDATE audit_events SET id = 2 WHERE id = 3');
  await office.tamper('UPDATE audit_events SET id = 3 WHERE id = 99');
  assert.match((await office.faults()).join('\n'), /between entries 1 and 2 .* changed places/);
});

test('cutting off the latest entries is detected even if the head is adjusted, since the head has a MAC', async (office) => {
  await office.tamper('DELETE FROM audit_events WHERE id > 2');
  await office.tamper(
    'UPDATE audit_head SET count = 2, last_id = 2, link = (SELECT link FROM audit_events WHERE id = 2)',
  );
  assert.equal(await office.faults(), ['the note of where the history ends was changed']);
});

test('restoring an older database is detected by the anchor in the file beside it', async (office) => {
  const { services, db } = office;
  const older = await db('audit_head').where({ id: 1 }).first();
  await office.build.file(office.actor, { name: 'incriminating.pdf' });
  const anchor = await services.audit.anchor();
  assert.equal((await services.audit.prove(anchor)).faults, []);
  await office.tamper('DELETE FROM audit_events WHERE id > ?', [older.last_id]);
  await db('audit_head').update(older);
  assert.equal((await services.audit.prove(null)).faults, [], 'the database alone cannot tell');
  assert.match(
    (await services.audit.prove(anchor)).faults.join(),
    /cut off: on 2026-11-20 it had 5 entries up to entry 5/,
  );
  const forged = { ...anchor!, count: 4, last_id: 4, link: older.link.toString('hex') };
  assert.match(
    (await services.audit.prove(forged)).faults.join(),
    /the file with the end of the history was changed/,
  );
});

test('the server keeps an anchor that does not match as evidence, and stores a new one', async (office) => {
  const { services, db } = office;
  const folder = await mkdtemp(join(tmpdir(), 'anchor-'));
  const errors: unknown[] = [];
  const log = { warn: () => {}, error: (...args: unknown[]) => void errors.push(args) };
  try {
    const keeper = await keepAnchor(folder, services.audit, log as never);
    const first = await readAnchor(folder);
    await office.build.file(office.actor, { name: 'd.pdf' });
    await keeper.stop();
    assert.is((await readAnchor(folder))!.count, first!.count + 1);
    assert.is(errors.length, 0);
    await office.tamper('DELETE FROM audit_events WHERE id = (SELECT max(id) FROM audit_events)');
    await db('audit_head').update({
      count: first!.count,
      last_id: first!.last_id,
      link: Buffer.from(first!.link, 'hex'),
    });
    await (await keepAnchor(folder, services.audit, log as never)).stop();
    assert.is(errors.length, 1);
    assert.is((await lostAnchors(folder)).length, 1);
    assert.is((await readAnchor(folder))!.count, first!.count);
    await writeFile(join(folder, 'history.head'), 'not JSON');
    await (await keepAnchor(folder, services.audit, log as never)).stop();
    assert.is((await lostAnchors(folder)).length, 2);
    assert.match(await readFile(join(folder, 'history.head'), 'utf8'), /"count":4/);
    assert.not.ok((await readdir(folder)).includes('history.head.new'));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('entries of versions without a chain are added to it before the first new entry', async (office) => {
  const { db, services } = office;
  await office.tamper('UPDATE audit_events SET content = NULL, link = NULL');
  await db('audit_head').update({ count: 0, last_id: 0, link: null, mac: null, sealed_key: null });
  await db('audit_links').delete();
  assert.equal(await office.faults(), []);
  await services.audit.recordAlone({ actor: office.actor, did: 'auth.sign_out' });
  const { faults, entries } = await services.audit.prove(null);
  assert.equal([faults, entries], [[], 5]);
  assert.is(await services.audit.chainOlder(), 0);
  assert.equal(await db('audit_links').where({ event_id: 2 }).orderBy('kind').select('kind', 'ref'), [
    { kind: 'client', ref: 0 },
    { kind: 'item', ref: 1 },
  ]);
});

test('an entry deleted by a rule keeps its hashes, and the proof holds only if another entry names it', async (office) => {
  const { db, services, actor } = office;
  await db.transaction((trx) =>
    services.audit.removeEntries(trx, { actor, ids: [2], reason: 'kept for eight years' }),
  );
  assert.is(await db('audit_events').where({ id: 2 }).first(), undefined);
  const { faults, removed, entries } = await services.audit.prove(null);
  assert.equal([faults, removed, entries], [[], 1, 5]);
  await office.tamper(`INSERT INTO audit_removed SELECT id, content, link FROM audit_events WHERE id = 3`);
  await office.tamper('DELETE FROM audit_events WHERE id = 3');
  assert.equal(await office.faults(), [
    'entry 3 of the history was taken out, and no entry says by which rule',
  ]);
});

test('with another master key the proof fails', async ({ db }) => {
  const stranger = createAudit({
    db,
    clock: () => new Date(),
    seal: createColumnSealer(randomBytes(32), 'history'),
  });
  assert.match((await stranger.prove(null)).faults.join(), /does not open with this master key/);
});

test('entries of two processes form one chain, since adding an entry locks the head', async (office) => {
  // As in a command-line command beside the server: another chain object with the same key.
  const seal = createColumnSealer(office.secret, 'history chain');
  const other = createChain(seal, async () => {});
  const row = { firm_id: null, user_id: null, subject: null, detail: '{}', ip: null, request_id: null };
  await office.db.transaction((trx) =>
    other.append(trx, [{ ...row, did: 'subscription.grant', at: '2026' }]),
  );
  await office.build.file(office.actor, { name: 'after.pdf' });
  assert.equal(await office.faults(), []);
});

test.run();
