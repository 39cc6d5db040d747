import { performance } from 'node:perf_hooks';
import knex from 'knex';
import { pino } from 'pino';
import { postgres } from '../../knexfile.ts';
import type { Actor } from '../../server/actor.ts';
import type { Services } from '../../server/services.ts';
import { compose } from '../../server/services.ts';
import { memoryBlobs } from '../../server/testing/world.ts';
import { openServices } from '../full-database.ts';

// A process that asks one database, which its parent tells what to ask: the words of queries are chosen once for a process.
const [folder = '', given = ''] = process.argv.slice(2);
const actor = JSON.parse(given) as Actor;

function onPostgres(address: string): Services {
  const log = pino({ level: 'silent' });
  return compose({
    db: knex(postgres(address)),
    blobs: memoryBlobs(),
    log,
    clock: () => new Date(),
    // The same each time, so that a kept database opens again.
    secret: Buffer.alloc(32, 1),
    config: { abuseLimits: false },
  });
}

const address = process.env.DATABASE_URL;
const { documents, clients, search, dashboard, duplicates, trash } = address
  ? onPostgres(address)
  : (await openServices(folder)).services;
const client = (await clients.list(actor, {})).data[0]!.id;

const questions: Record<string, () => Promise<unknown>> = {
  'the drive': () => documents.folder(actor, null, { limit: 200 }),
  'Documents, newest first': () => documents.files(actor, {}),
  'Documents, PDF by name': () => documents.files(actor, { group: 'pdf', sort: 'name' }),
  'Documents of a client': () => documents.files(actor, { client_id: client }),
  'Documents, "invoice"': () => documents.files(actor, { search: 'invoice' }),
  'the top bar, two letters': () => search.find(actor, 'fo'),
  'the top bar, a word': () => search.find(actor, 'invoice'),
  'the top bar, three words': () => search.find(actor, 'audit report 0004711'),
  'the top bar, a word and a name that 2,000 clients begin with': () => search.find(actor, 'invoice client'),
  'Documents, a word and such a name': () => documents.files(actor, { search: 'invoice client' }),
  'the drive, by size': () => documents.folder(actor, null, { limit: 200, sort: 'size', direction: 'desc' }),
  clients: () => clients.list(actor, {}),
  figures: () => dashboard.stats(actor),
  'types on Storage': () => dashboard.storageBreakdown(actor),
  'recent files': () => dashboard.recentFiles(actor),
  'largest files': () => dashboard.largestFiles(actor),
  Trash: () => trash.list(actor),
  'the copy of a file': () => duplicates.copyOf(actor, 1_000_100),
};

process.on('message', async ({ name, runs }: { name: string; runs: number }) => {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    await questions[name]!();
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(before);
  process.send!({ times, cpu: (user + system) / 1000 });
});
process.once('disconnect', () => process.exit());
process.send!(Object.keys(questions));
