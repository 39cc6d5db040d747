import { rm } from 'node:fs/promises';
import { createBuild } from '../server/testing/build.ts';
import { colleagues } from './colleagues.ts';
import type { FirmSize } from './firms.ts';
import { fillFirm, indexFirms } from './firms.ts';
import { openServices } from './full-database.ts';
import type { Figure } from './measure.ts';
import { fixed, median } from './measure.ts';
import { scratchFolder } from './server.ts';

const SIZE: FirmSize = { clients: 2000, folders: 5000, files: 100_000 };
const RUNS = Number(process.env.BENCH_RUNS ?? 30);
/** How much more of the processor an assigned person's list may take than an admin's. */
const MOST = 1.3;

/** Milliseconds of processor, of all threads, for each of the runs; the first three are not counted. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = -3; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    if (run >= 0) times.push((user + system) / 1000);
  }
  return median(times);
}

/** What lists cost a person who is assigned to 300 of 2,000 clients, beside an admin, among 100,000 files. */
export async function team(): Promise<Figure[]> {
  const folder = await scratchFolder();
  const filling = await openServices(folder);
  const { actor: admin } = await createBuild(filling).account();
  await fillFirm(filling.db, { firmId: admin.firmId, userId: admin.userId, base: 1_000_000, size: SIZE });
  await indexFirms(filling.db, [admin.firmId]);
  const { assigned } = await colleagues(filling, admin);
  await filling.close();
  // Opened anew: filling it left more in memory than a server keeps there.
  const { db, services, close } = await openServices(folder);
  const [client] = await db('user_clients').where({ user_id: assigned.userId }).pluck('client_id');
  const { documents, clients, search, dashboard } = services;
  type Ask = (actor: typeof admin) => Promise<unknown>;
  const asked: Record<string, Ask> = {
    'the drive': (actor) => documents.folder(actor, null),
    'Documents, newest first': (actor) => documents.files(actor, {}),
    'Documents of a client': (actor) => documents.files(actor, { client_id: client }),
    'Documents, "invoice"': (actor) => documents.files(actor, { search: 'invoice' }),
    'the top bar, "invoice"': (actor) => search.find(actor, 'invoice'),
    'the top bar, "form 16"': (actor) => search.find(actor, 'form 16'),
    clients: (actor) => clients.list(actor, {}),
    figures: (actor) => dashboard.stats(actor),
    'recent files': (actor) => dashboard.recentFiles(actor),
    'largest files': (actor) => dashboard.largestFiles(actor),
  };
  const figures: Figure[] = [];
  try {
    for (const [name, ask] of Object.entries(asked)) {
      const [all, own] = [await cpuOf(() => ask(admin)), await cpuOf(() => ask(assigned))];
      figures.push({
        name: `${name}: CPU of an admin, of one with 300 clients`,
        value: `${fixed(all, 1)}, ${fixed(own, 1)} ms`,
        target: { text: `≤ ${MOST} ×, or 1 ms more`, reached: own <= Math.max(MOST * all, all + 1) },
      });
    }
    return figures;
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
