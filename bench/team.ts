import { rm } from 'node:fs/promises';
import type { Actor } from '../server/actor.ts';
import { createBuild } from '../server/testing/build.ts';
import type { FirmSize } from './firms.ts';
import { fillFirm, indexFirms } from './firms.ts';
import { openServices } from './full-database.ts';
import type { Figure } from './measure.ts';
import { cpuTimes, fixed, median } from './measure.ts';
import { scratchFolder } from './server.ts';

const SIZE: FirmSize = { clients: 2000, folders: 5000, files: 100_000 };
const RUNS = Number(process.env.BENCH_RUNS ?? 15);
/** How many clients each person is assigned to. */
const SHARES = [3, 300, 1500];
/** The page size of the drive. */
const PAGE = 200;
/** The CPU time that the list of an assigned person may take, as a multiple of an admin's. */
const MAX_RATIO = 1.3;

interface Person {
  actor: Actor;
  /** One of the clients assigned to them. */
  client: number;
}

/** Adds a colleague who is assigned to so many clients of a firm, evenly spread. */
async function assignedPerson(
  filling: Awaited<ReturnType<typeof openServices>>,
  admin: Actor,
  share: number,
): Promise<Person> {
  const { actor } = await createBuild(filling).colleague(admin, { client_scope: 'assigned' });
  const ids: number[] = await filling
    .db('clients')
    .where({ firm_id: admin.firmId })
    .orderBy('id')
    .pluck('id');
  const chosen = Array.from({ length: share }, (_, index) => ids[Math.floor((index * ids.length) / share)]!);
  await filling.db.batchInsert(
    'user_clients',
    chosen.map((client_id) => ({ user_id: actor.userId, client_id })),
    300,
  );
  return { actor, client: chosen[0]! };
}

/** Measures lists for users assigned to some of 2,000 clients, compared with an admin, among 100,000 files. BENCH_RUNS is the number of runs. */
export async function team(): Promise<Figure[]> {
  const folder = await scratchFolder();
  const filling = await openServices(folder);
  const { actor: admin } = await createBuild(filling).account();
  await fillFirm(filling.db, { firmId: admin.firmId, userId: admin.userId, base: 1_000_000, size: SIZE });
  await indexFirms(filling.db, [admin.firmId]);
  const persons: Person[] = [];
  for (const share of SHARES) persons.push(await assignedPerson(filling, admin, share));
  await filling.close();
  // Opened again, since filling it leaves more in memory than a server has there.
  const { services, close } = await openServices(folder);
  const { documents, clients, search, dashboard } = services;
  const calls: Record<string, (person: Person) => Promise<unknown>> = {
    'the drive': ({ actor }) => documents.folder(actor, null, { limit: PAGE }),
    'Documents, newest first': ({ actor }) => documents.files(actor, {}),
    'Documents, PDF by name': ({ actor }) => documents.files(actor, { group: 'pdf', sort: 'name' }),
    'Documents of a client': ({ actor, client }) => documents.files(actor, { client_id: client }),
    'Documents, "invoice"': ({ actor }) => documents.files(actor, { search: 'invoice' }),
    'the top bar, "invoice"': ({ actor }) => search.find(actor, 'invoice'),
    'the top bar, "form 16"': ({ actor }) => search.find(actor, 'form 16'),
    clients: ({ actor }) => clients.list(actor, {}),
    figures: ({ actor }) => dashboard.stats(actor),
    'types on Storage': ({ actor }) => dashboard.storageBreakdown(actor),
    'recent files': ({ actor }) => dashboard.recentFiles(actor),
    'largest files': ({ actor }) => dashboard.largestFiles(actor),
    'files not opened lately': ({ actor }) => dashboard.untouchedFiles(actor),
  };
  const figures: Figure[] = [];
  try {
    for (const [name, ask] of Object.entries(calls)) {
      const cost = async (person: Person) => median(await cpuTimes(RUNS, () => ask(person), 3));
      const all = await cost({ actor: admin, client: persons[0]!.client });
      const times: number[] = [];
      for (const person of persons) times.push(await cost(person));
      figures.push({
        name: `${name}: CPU of an admin; with ${SHARES.join(', ')} of ${SIZE.clients} clients`,
        value: `${fixed(all, 1)}; ${times.map((each) => `${fixed(each, 1)} (${fixed(each / all, 1)} ×)`).join(', ')} ms`,
        target: {
          text: `≤ ${MAX_RATIO} ×, or 1 ms more`,
          reached: times.every((each) => each <= Math.max(MAX_RATIO * all, all + 1)),
        },
      });
    }
    return figures;
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
