import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { PASSWORD } from '#server/testing/build.ts';
import { rejects } from '#server/testing/rejects.ts';
import { Visitor, bearer } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { findTotalsFaults } from '#server/tools/totals.ts';
import { destroy, digestOf } from './destroy.ts';

interface Office extends World {
  admin: Actor;
  token: string;
}

const WHY = { reason: 'Time has run out', current_password: PASSWORD };
const DAY = 24 * 60 * 60_000;

const test = suite<Office>('destructions');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
  const { actor, token } = await world.build.account();
  Object.assign(world, { admin: actor, token });
});
test.after.each((world) => world.close());

/** Three files whose time ran out, one of them with an earlier version, and one that is kept. */
async function runOut({ build, services, admin, advance }: Office) {
  await services.retention.add(admin, {
    name: 'A year',
    source: '',
    applies_to: 'everything',
    months: 12,
    counts_from: 'put_in',
  });
  const client = await build.client(admin, 'मेहता ट्रेडर्स');
  const folder = await build.folder(admin, 'Old');
  const files = [];
  for (const name of ['a.txt', 'b.txt', 'c.txt'])
    files.push(await build.file(admin, { name, parent_id: folder.id, client_id: client }));
  await build.file(admin, { name: 'a.txt', content: 'another', parent_id: folder.id, conflict: 'replace' });
  advance(400 * DAY);
  const kept = await build.file(admin, { name: 'new.txt', parent_id: folder.id });
  return { files, kept, folder, client };
}

test('what has run out is destroyed once somebody confirms it, and a certificate lists it for ever', async (world) => {
  const { services, admin, db } = world;
  const { files, kept } = await runOut(world);
  const { destructions, jobs, documents, audit } = services;
  const ids = files.map(({ id }) => id);
  const wrong = destructions.confirm(admin, { ids, ...WHY, current_password: 'not mine' });
  assert.ok((await rejects(wrong, 422)).errors?.['current_password']);
  const early = await rejects(destructions.confirm(admin, { ids: [...ids, kept.id], ...WHY }), 409);
  assert.match(
    early.message,
    'One of the files stays, so nothing was destroyed. A retention rule keeps it longer.',
  );
  assert.is((await db('destructions')).length, 0);
  const { actor: staff } = await world.build.colleague(admin);
  await rejects(destructions.confirm(staff, { ids, ...WHY }), 403);

  const confirmed = await destructions.confirm(admin, { ids, ...WHY });
  assert.equal([confirmed.listed, confirmed.finished_at, confirmed.confirmed_by], [3, null, 'Asha Rao']);
  await rejects(destructions.certificate(admin, confirmed.id), 409);
  services.start();
  await jobs.idle();
  await services.sweeper.drain();
  const [done] = (await destructions.list(admin)).items;
  assert.equal([done!.files, done!.stayed, done!.bytes], [3, 0, 'another'.length + 3 * 'content'.length]);
  for (const id of ids) await rejects(documents.item(admin, id), 404);
  assert.is((await documents.item(admin, kept.id)).name, 'new.txt');
  assert.is((await db('versions')).length, 0);
  assert.equal(await findTotalsFaults(db), []);

  const [all] = await destructions.all(admin);
  assert.equal(
    all!.destroyed.map(({ name, path, client, rule, until }) => [name, path, client, rule, until]),
    ['a.txt', 'b.txt', 'c.txt'].map((name) => [name, 'Old', 'मेहता ट्रेडर्स', 'A year', '2027-11-20']),
  );
  assert.is(digestOf(all!.destroyed), done!.digest, 'whoever has the list can make it again');
  const { name, pdf } = await destructions.certificate(admin, done!.id);
  assert.is(name, `certificate-of-destruction-${done!.id}-2027-12-25.pdf`);
  assert.match(pdf.toString('latin1'), /^%PDF/);
  const told = (await audit.list(admin, { limit: 20 })).data.filter(({ did }) =>
    /^retention\.(?:conf|des|cer)/.test(did),
  );
  assert.equal(
    told.map(({ did, who }) => [did, who]),
    ['certify', 'destroy', 'confirm'].map((verb) => [`retention.${verb}`, 'Asha Rao']),
  );
});

test('a hold, a seal or a change that comes in between keeps a file, and the certificate says that it stayed', async (world) => {
  const { services, admin, build, db } = world;
  const { files, client, folder } = await runOut(world);
  const { destructions, jobs, holds, seals, documents } = services;
  const [a, b, c] = files.map(({ id }) => id) as [number, number, number];
  await destructions.confirm(admin, { ids: [a, b, c], ...WHY });
  await build.file(admin, { name: 'b.txt', content: 'later', parent_id: folder.id, conflict: 'replace' });
  await seals.seal(admin, c, { reason: 'Filed' });
  services.start();
  await jobs.idle();
  const [done] = (await destructions.list(admin)).items;
  assert.equal([done!.files, done!.stayed], [1, 2]);
  const why = await db('destruction_files')
    .whereNotNull('kept_because')
    .orderBy('name')
    .pluck('kept_because');
  assert.match(why[0], 'keeps it longer');
  assert.is(why[1], 'It is sealed.');
  assert.is((await documents.item(admin, b)).id, b);
  await holds.place(admin, client, { reason: 'Notice' });
  await seals.break(admin, c, { reason: 'Mistake', current_password: PASSWORD });
  assert.match((await rejects(destructions.confirm(admin, { ids: [c], ...WHY }), 409)).message, 'legal hold');
});

test('a destruction interrupted by a stop of the server continues with the remaining files, and lists each once', async (world) => {
  const { services, admin, build, db, advance } = world;
  await runOut(world);
  const folder = await build.folder(admin, 'Many');
  for (const name of ['x.txt', 'y.txt', 'z.txt']) await build.file(admin, { name, parent_id: folder.id });
  advance(400 * DAY);
  const ids: number[] = await db('items').where({ parent_id: folder.id }).pluck('id');
  const { destructions, jobs } = services;
  const { id } = await destructions.confirm(admin, { ids, ...WHY });
  // It ends after the first files went, before their certificate is made.
  const ending = new AbortController();
  const dependencies = {
    db,
    clock: () => world.now(),
    audit: services.audit,
    settled: async () => world.now(),
  };
  const cut = destroy(dependencies, id, { signal: ending.signal, report: () => ending.abort() });
  await cut.then(
    () => assert.unreachable('it was not cut'),
    (error: Error) => assert.is(error.name, 'AbortError'),
  );
  assert.is((await destructions.list(admin)).items[0]!.finished_at, null);
  assert.is((await db('items').whereIn('id', ids)).length, 0);
  services.start();
  await jobs.idle();
  const [done] = (await destructions.list(admin)).items;
  assert.equal([done!.files, done!.listed], [3, 3]);
  assert.is(await destroy(dependencies, id, { signal: new AbortController().signal, report: () => {} }), 0);
  assert.equal(await findTotalsFaults(db), []);
});

test('nobody changes what was confirmed, and the database lets nothing on a list before its time', async (world) => {
  const { services, admin, db } = world;
  const { files, kept } = await runOut(world);
  const { id } = await services.destructions.confirm(admin, { ids: [files[0]!.id], ...WHY });
  const early = {
    destruction_id: id,
    item_id: kept.id,
    name: 'x',
    path: '',
    rule: 'x',
    until: '2099-01-01',
    file_size: 1,
    versions: '[]',
  };
  const attempts: Record<string, () => PromiseLike<unknown>> = {
    'too early': () => db('destruction_files').insert(early),
    'forget a file': () => db('destruction_files').delete(),
    'another name': () => db('destruction_files').update({ name: 'y' }),
    'forget it': () => db('destructions').delete(),
    'another reason': () => db('destructions').update({ reason: 'y' }),
  };
  for (const [what, attempt] of Object.entries(attempts)) {
    const error: unknown = await Promise.resolve(attempt()).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.match(String(error), 'destruction', what);
  }
  const visitor = new Visitor(await world.serve());
  const stranger = await world.build.account();
  const answer = await visitor.call('GET', `/api/retention/destructions/${id}/certificate`, {
    headers: bearer(stranger.token),
  });
  assert.is(answer.status, 404);
});

test.run();
