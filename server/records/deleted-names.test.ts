import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { openPlainVault, openVaultDatabase } from '../testing/vault-database.ts';
import type { DataDir } from '../datadir/datadir.ts';
import type { ItemView } from '../documents/contract.ts';
import type { Services } from '../services.ts';
import { compose } from '../services.ts';
import { createBuild } from '../testing/build.ts';

const JOB = 'forget-deleted-names';
/** The name as typed; search index and sort keys contain it in lower case. */
const NAME = 'ZWXQVKJ';

interface Vault extends Omit<DataDir, 'room'> {
  dataDir: string;
  services: Services;
  actor: Actor;
  build: ReturnType<typeof createBuild>;
  /** Adds files in one transaction, and therefore in one segment of the index. */
  add(names: readonly string[]): Promise<ItemView[]>;
  /** Moves the clock an hour ahead, so that all jobs are due. */
  later(): void;
  /** How often a text occurs in the files of the database. */
  times(text: string): Promise<number>;
}

const test = suite<Vault>('names of deleted items');

test.before.each(async (vault) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-names-'));
  const log = pino({ level: 'silent' });
  const opened = await openPlainVault(dataDir);
  let passed = 0;
  const clock = () => new Date(Date.now() + passed);
  const services = compose({ ...opened, log, clock, config: { abuseLimits: false, trashDays: 0 } });
  const build = createBuild({ ...opened, services });
  Object.assign(vault, opened, { dataDir, services, build, actor: await build.actor() });
  vault.add = (names) =>
    opened.db.transaction(async (trx) => {
      const added: ItemView[] = [];
      for (const name of names) {
        const blob = { id: name, size: 1, sha256: '', crc32: 0 };
        const place = { name, parent_id: null, client_id: null, blob };
        added.push(await services.documents.addFileWithin(trx, vault.actor, place));
      }
      return added;
    });
  vault.later = () => void (passed += 60 * 60_000);
  vault.times = async (text) => {
    const files = (await readdir(dataDir)).filter((name) => name.startsWith('almirah.sqlite'));
    const all = await Promise.all(files.map((name) => readFile(join(dataDir, name), 'latin1')));
    return all.join('').split(text).length - 1;
  };
});
test.after.each(async ({ services, close, dataDir }) => {
  await services.stop();
  await close();
  await rm(dataDir, { recursive: true });
});

/** Creates the rows of the recurring jobs, without a worker that would run them before the test does. */
async function planJobs({ jobs }: Services): Promise<void> {
  await jobs.start();
  await jobs.stop();
}

test('are only in the history, and nowhere else in the files of the database, after the recurring job has run', async ({
  services,
  actor,
  build,
  add,
  db,
  times,
  later,
}) => {
  const names = Array.from({ length: 100 }, (_, n) => `Form ${n}.pdf`);
  const [kept, file] = await add([...names, `${NAME}.pdf`]).then((all) => [all[16]!, all.at(-1)!] as const);
  const folder = await build.folder(actor, NAME);
  const client = await build.client(actor, `${NAME} Traders`);
  assert.ok((await times(NAME.toLowerCase())) > 0);
  await services.documents.remove(actor, [file.id]);
  await services.documents.remove(actor, [folder.id]);
  await services.clients.remove(actor, client);
  await planJobs(services);
  later();
  for (const kind of ['delete-file-contents', 'unlink-deleted-clients']) await services.jobs.runDue(kind);
  assert.ok((await times(NAME.toLowerCase())) > 0, 'the index only notes what is removed');
  assert.is(await services.jobs.runDue(JOB), 1);
  assert.is(await times(NAME.toLowerCase()), 0);
  const history: string[] = await db('audit_events').whereLike('detail', `%${NAME}%`).pluck('detail');
  assert.is(await times(NAME), history.join('').split(NAME).length - 1, 'the history keeps them');
  const [found] = (await services.search.find(actor, 'form 16')).items;
  assert.is(found?.id, kept.id);
});

test('are removed in short steps, so that other writes need not wait for all of them, and nothing else is removed', async ({
  services: { documents, records, search },
  actor,
  add,
  db,
  times,
}) => {
  const all = await add(Array.from({ length: 1500 }, (_, n) => `Invoice ${n} ${NAME}${n % 50}.pdf`));
  const gone = all.filter(({ name }) => name.includes(`${NAME}7.`));
  await documents.remove(
    actor,
    gone.map(({ id }) => id),
  );
  while ((await records.purge()) > 0);
  const order: string[] = [];
  const [steps] = await Promise.all([
    records.forgetNames().finally(() => order.push('cleared')),
    add(['Meanwhile.pdf']).finally(() => order.push('written')),
  ]);
  assert.ok(steps > 1, `${steps} steps`);
  assert.equal(order, ['written', 'cleared'], 'who writes does not wait for all of it');
  assert.is(await times(`${NAME.toLowerCase()}7\ue02epdf`), 0);
  await db.raw(`INSERT INTO item_search (item_search) VALUES ('integrity-check')`);
  const names = async (query: string) => (await search.find(actor, query)).items.map(({ name }) => name);
  assert.equal(await names(`${NAME}7`), []);
  assert.equal(await names('invoice 1499'), [`Invoice 1499 ${NAME}49.pdf`]);
  assert.equal(await names('meanwhile'), ['Meanwhile.pdf']);
  assert.is(await records.forgetNames(), 0, 'nothing is left to do');
});

test('are removed at the next run of the job if a long read transaction, such as that of a backup, prevents it', async ({
  dataDir,
  services,
  actor,
  build,
  db,
  times,
  later,
}) => {
  const { documents, jobs } = services;
  const file = await build.file(actor, { name: `${NAME}.pdf` });
  const other = await openVaultDatabase(dataDir);
  try {
    await db.raw('PRAGMA busy_timeout = 1');
    const reading = await other.transaction();
    await reading('items').first();
    await documents.remove(actor, [file.id]);
    await planJobs(services);
    later();
    await jobs.runDue('delete-file-contents');
    assert.is(await jobs.runDue(JOB), 0);
    const job = await db('jobs').where({ kind: JOB }).first('message', 'status');
    assert.match(job.message, 'a backup reads from it');
    assert.is(job.status, 'starting', 'it waits for its next turn');
    await reading.commit();
    later();
    assert.is(await jobs.runDue(JOB), 1);
    assert.is(await times(NAME.toLowerCase()), 0);
  } finally {
    await other.destroy();
  }
});

test.run();
