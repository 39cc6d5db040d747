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
const RUNS = Number(process.env.BENCH_RUNS ?? 30);
const ASSIGNED = 300;
/** How much more of the processor an assigned person's list may take than an admin's. */
const MOST = 1.3;

/** Somebody who is assigned to 300 clients of a firm, spread over all of them. */
async function assignedPerson(
  filling: Awaited<ReturnType<typeof openServices>>,
  admin: Actor,
): Promise<Actor> {
  const { actor } = await createBuild(filling).colleague(admin, { client_scope: 'assigned' });
  const ids: number[] = await filling
    .db('clients')
    .where({ firm_id: admin.firmId })
    .orderBy('id')
    .pluck('id');
  const step = Math.max(1, Math.floor(ids.length / ASSIGNED));
  const chosen = ids.filter((_, at) => at % step === 0).slice(0, ASSIGNED);
  await filling.db('user_clients').insert(chosen.map((client_id) => ({ user_id: actor.userId, client_id })));
  return actor;
}

/** What lists cost a person who is assigned to 300 of 2,000 clients, beside an admin, among 100,000 files. */
export async function team(): Promise<Figure[]> {
  const folder = await scratchFolder();
  const filling = await openServices(folder);
  const { actor: admin } = await createBuild(filling).account();
  await fillFirm(filling.db, { firmId: admin.firmId, userId: admin.userId, base: 1_000_000, size: SIZE });
  await indexFirms(filling.db, [admin.firmId]);
  const assigned = await assignedPerson(filling, admin);
  await filling.close();
  // Opened anew: filling it left more in memory than a server keeps there.
  const { db, services, close } = await openServices(folder);
  const [client] = await db('user_clients').where({ user_id: assigned.userId }).pluck('client_id');
  const { documents, clients, search, dashboard } = services;
  type Ask = (actor: Actor) => Promise<unknown>;
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
      const cost = async (actor: Actor) => median(await cpuTimes(RUNS, () => ask(actor), 3));
      const [all, own] = [await cost(admin), await cost(assigned)];
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
