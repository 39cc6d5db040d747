import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import knex from 'knex';
import { sqlite } from '../../knexfile.ts';
import { openDatabase } from '../datadir/database.ts';
import { keptDatabases } from '../datadir/update-snapshot.ts';
import { killAtLine } from '../testing/kill-at-line.ts';
import { openRelease } from './archive.ts';
import { currentOf, versionIn } from './layout.ts';
import { recordsOf } from './record.ts';
import { readKeys } from './release.ts';
import type { Folders } from './testing/installation.ts';
import { BROKEN, NEW, OLD, boot, makeInstallation, dependenciesOf, vaultOf } from './testing/installation.ts';
import { finishUpdate, update } from './update.ts';

const program = join(import.meta.dirname, 'testing/update-here.ts');

const current = async ({ base }: Folders) => versionIn(await currentOf(base));
const run = async (folders: Folders) => {
  const { archive, key } = folders;
  const dependencies = dependenciesOf(folders);
  await finishUpdate(dependencies);
  return update(dependencies, await openRelease(archive, readKeys(key), null));
};
const stepOf = async ({ dataDir }: Folders) => (await recordsOf(dataDir).read())?.step;

test('an update installs the new version and migrates the database, and keeps the previous version', async () => {
  const here = await makeInstallation();
  try {
    assert.equal(await run(here), { outcome: 'done', why: null });
    assert.is(await current(here), NEW);
    assert.equal(await vaultOf(here.dataDir), { form: 2, papers: ['Form 16'] });
    assert.is(await stepOf(here), 'done');
    assert.equal(await readdir(join(here.dataDir, 'update')), ['record.json'], 'no copy is left');
    assert.is(await boot(here, 'a new paper'), NEW);
  } finally {
    await here.remove();
  }
});

test('a version that fails in its trial never becomes current, and its database is discarded', async () => {
  const here = await makeInstallation(BROKEN.tried);
  try {
    assert.equal(await run(here), { outcome: 'back', why: 'It cannot find its left shoe.' });
    assert.is(await current(here), OLD);
    assert.equal(await vaultOf(here.dataDir), { form: 1, papers: ['Form 16'] });
    assert.is(await boot(here, 'a new paper'), OLD);
    const record = await recordsOf(here.dataDir).read();
    assert.is(record?.why, 'It cannot find its left shoe.');
  } finally {
    await here.remove();
  }
});

test('where nothing starts the previous version again, a failed trial can be repeated at once', async () => {
  const here = await makeInstallation(BROKEN.tried);
  try {
    const dependencies = dependenciesOf(here);
    dependencies.service.start = null;
    const release = await openRelease(here.archive, readKeys(here.key), null);
    assert.is((await update(dependencies, release)).outcome, 'back');
    assert.is((await update(dependencies, release)).outcome, 'back', 'the restored database has no log');
    assert.equal(await vaultOf(here.dataDir), { form: 1, papers: ['Form 16'] });
  } finally {
    await here.remove();
  }
});

test('a version that fails after the switch is reverted; its database is kept for the changes made meanwhile', async () => {
  const here = await makeInstallation(BROKEN.later);
  try {
    const dependencies = dependenciesOf(here);
    const { start } = dependencies.service;
    // Somebody saves something with the new version before it fails.
    dependencies.service.start = async () => {
      await start!();
      if ((await current(here)) !== NEW) return;
      const db = openDatabase(here.dataDir);
      await db('papers').insert({ name: 'of the first minute' });
      await db.destroy();
    };
    const release = await openRelease(here.archive, readKeys(here.key), null);
    assert.equal(await update(dependencies, release), { outcome: 'back', why: 'It fell over.' });
    assert.is(await current(here), OLD);
    assert.equal(await vaultOf(here.dataDir), { form: 1, papers: ['Form 16'] });
    const after = join(here.dataDir, 'update/after.sqlite');
    assert.ok(existsSync(after), 'what the new version wrote is kept');
    assert.equal(await keptDatabases(here.dataDir), [after]);
    // The next try does not delete it.
    assert.is((await run(here)).outcome, 'back');
    const aside = join(here.dataDir, 'update/after.1.sqlite');
    assert.equal(await keptDatabases(here.dataDir), [aside, after]);
    const db = knex(sqlite(aside, {}));
    assert.equal(await db('papers').pluck('name'), ['Form 16', 'of the first minute']);
    await db.destroy();
  } finally {
    await here.remove();
  }
});

test('when the database cannot be copied, the previous server continues', async () => {
  const here = await makeInstallation();
  try {
    const dependencies = dependenciesOf(here);
    let started = 0;
    const { start } = dependencies.service;
    dependencies.service.start = () => {
      started += 1;
      return start!();
    };
    dependencies.snapshot.takeSnapshot = () => Promise.reject(new Error('There is no room.'));
    const release = await openRelease(here.archive, readKeys(here.key), null);
    await update(dependencies, release).then(
      () => assert.unreachable(),
      (error: Error) => assert.is(error.message, 'There is no room.'),
    );
    assert.equal([started, await current(here), await stepOf(here)], [1, OLD, undefined]);
  } finally {
    await here.remove();
  }
});

const STEPS = [
  'unpacked',
  'brought',
  'snapshot',
  'trying',
  'tried',
  'switching',
  'switched',
  'watching',
  'done',
];

for (const [index, step] of STEPS.entries())
  test(`a power failure at "${step}" leaves a version that starts on its database, and the update can be run again`, async () => {
    const here = await makeInstallation();
    try {
      const { base, dataDir, archive, key } = here;
      assert.ok(await killAtLine(program, [base, dataDir, archive, key], step, 1), `it came to ${step}`);
      const [version, form] = index < STEPS.indexOf('switched') ? [OLD, 1] : [NEW, 2];
      assert.is(await boot(here, 'written after it'), version);
      assert.equal(await vaultOf(dataDir), { form, papers: ['Form 16', 'written after it'] });
      if (version === NEW) {
        assert.is(await stepOf(here), 'done');
        return;
      }
      assert.not.ok(['trying', 'switching'].includes((await stepOf(here)) ?? ''), 'the start has ended it');
      assert.equal(await run(here), { outcome: 'done', why: null });
      assert.equal(await vaultOf(dataDir), { form: 2, papers: ['Form 16', 'written after it'] });
    } finally {
      await here.remove();
    }
  });

test('an interrupted update is completed or reverted by the next one, also without a start in between', async () => {
  for (const [step, outcome] of [
    ['trying', 'back'],
    ['tried', 'back'],
    ['switching', 'done'],
    ['watching', 'done'],
  ] as const) {
    const here = await makeInstallation();
    try {
      const { base, dataDir, archive, key } = here;
      assert.ok(await killAtLine(program, [base, dataDir, archive, key], step, 1));
      assert.is((await finishUpdate(dependenciesOf(here)))?.outcome, outcome, step);
      assert.is(await current(here), outcome === 'done' ? NEW : OLD);
      assert.is((await vaultOf(dataDir)).form, outcome === 'done' ? 2 : 1);
      assert.is(await finishUpdate(dependenciesOf(here)), null, 'once');
    } finally {
      await here.remove();
    }
  }
});

for (const [step, broken] of [
  ['returning', BROKEN.later],
  ['returned', BROKEN.later],
  ['refused', BROKEN.tried],
] as const)
  test(`a power failure during the rollback, at "${step}", ends with the previous version and its database`, async () => {
    const here = await makeInstallation(broken);
    try {
      const { base, dataDir, archive, key } = here;
      assert.ok(await killAtLine(program, [base, dataDir, archive, key], step, 1), `it came to ${step}`);
      if (step === 'returning') assert.is((await finishUpdate(dependenciesOf(here)))?.outcome, 'back');
      assert.is(await boot(here, 'written after it'), OLD);
      assert.equal(await vaultOf(dataDir), { form: 1, papers: ['Form 16', 'written after it'] });
      assert.is(await stepOf(here), 'back');
    } finally {
      await here.remove();
    }
  });

test.run();
