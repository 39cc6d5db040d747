import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import type { Actor } from '../server/auth/contract.ts';
import { openDatabase } from '../server/database.ts';
import type { FilesQuery } from '../server/documents/contract.ts';
import { compose } from '../server/services.ts';
import type { Services } from '../server/services.ts';
import { memoryBlobs } from '../server/testing/world.ts';
import type { FirmSize } from './firms.ts';
import { fillFirm, indexFirm } from './firms.ts';
import type { Figure } from './measure.ts';
import { fixed, percentile } from './measure.ts';
import { scratchFolder } from './server.ts';

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
/** How many other firms of the same size stand beside the measured one. */
const FIRMS = number('BENCH_FIRMS', 3);
const FILES = number('BENCH_FILES', 100_000);
const SIZE: FirmSize = { clients: 2000, folders: FILES / 5, files: FILES };
const CALLERS = 10;
const CALLS = 40;

/** p95 in milliseconds of `work`, done by ten callers at once; each call gets a number of its own. */
async function p95(work: (call: number) => Promise<unknown>): Promise<number> {
  await work(0);
  const times: number[] = [];
  const caller = async (who: number) => {
    for (let at = 0; at < CALLS; at += 1) {
      const started = performance.now();
      await work(who * CALLS + at);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, who) => caller(who)));
  return percentile(times, 95);
}

const pick = <T>(from: readonly T[], call: number): T => from[call % from.length]!;

/** Every filter, order and depth that the documents screen can ask for. */
async function questions({ documents }: Services, actor: Actor, base: number): Promise<FilesQuery[]> {
  const filters: FilesQuery[] = [
    {},
    { group: 'pdf' },
    { group: 'drawing' },
    { group: 'video' },
    { client_id: base + 17 },
    { client_id: 'none' },
    { owner_id: actor.userId },
    { from: '2024-04-01', to: '2025-03-31' },
    { from: '2024-05-01', to: '2024-05-02' },
    { group: 'sheet', client_id: 'none', from: '2023-04-01', to: '2024-03-31' },
    { group: 'archive', client_id: 'none', to: '2020-05-01' },
    { search: 'gst' },
    { search: 'form 16 0001' },
    { search: 'nothing like it' },
  ];
  const asked: FilesQuery[] = [];
  for (const filter of filters) {
    for (const sort of ['name', 'modified', 'size'] as const) {
      for (const direction of ['asc', 'desc'] as const) {
        let query: FilesQuery = { ...filter, sort, direction, limit: 60 };
        asked.push(query);
        for (let deep = 0; deep < 6; deep += 1) {
          const { next_cursor } = await documents.files(actor, { ...query, limit: 200 });
          if (next_cursor === null) break;
          query = { ...query, cursor: next_cursor };
        }
        asked.push(query);
      }
    }
  }
  return asked;
}

/** The working screens of a firm of full size beside others, asked in the server itself by ten callers at once. */
export async function screens(): Promise<Figure[]> {
  const dataDir = await scratchFolder();
  const db = openDatabase(dataDir);
  await db.migrate.latest();
  const log = pino({ level: 'silent' });
  const blobs = memoryBlobs();
  const services = compose({
    db,
    blobs,
    log,
    clock: () => new Date(),
    secret: randomBytes(32),
    config: { abuseLimits: false },
  });
  const firm = async (place: number, size: FirmSize): Promise<{ actor: Actor; base: number }> => {
    const who = {
      name: 'Bench Mark',
      firm_name: `Firm ${place}`,
      email: `b${place}@example.in`,
      phone: '9000000000',
    };
    const password = randomBytes(9).toString('hex');
    const secrets = {
      password,
      password_confirmation: password,
      ca_license_number: 'B1',
      terms_accepted: true as const,
    };
    const { cookie } = await services.auth.register(
      { ...who, ...secrets },
      { ip: '127.0.0.1', userAgent: 'bench' },
    );
    const actor = (await services.auth.identifyByCookie(cookie))!;
    const base = 10_000_000 * (place + 1);
    await fillFirm(db, { firmId: actor.firmId, userId: actor.userId, base, size });
    return { actor, base };
  };
  try {
    for (let place = 0; place < FIRMS; place += 1) await firm(place, SIZE);
    const small = await firm(FIRMS, { clients: 200, folders: FILES / 50, files: FILES / 10 });
    const { actor, base } = await firm(FIRMS + 1, SIZE);
    for (const { firmId } of [small.actor, actor]) await indexFirm(db, firmId);

    const { clients, dashboard, documents } = services;
    const figures: Figure[] = [];
    const note = async (name: string, limit: number | null, work: (call: number) => Promise<unknown>) => {
      const time = await p95(work);
      const target = limit === null ? undefined : { text: `≤ ${limit} ms`, reached: time <= limit };
      figures.push({
        name: `${name}, p95 of ten callers`,
        value: `${fixed(time)} ms`,
        ...(target && { target }),
      });
    };
    const sorts = ['name', 'city', 'added', 'changed'] as const;
    await note('clients list', 30, (call) =>
      clients.list(actor, { sort: pick(sorts, call), status: 'Active' }),
    );
    const words = ['client 0', '01999', 'c77@', '9800', 'aaapz1234a', 'nobody', 'cl', 'client 01 98'];
    await note('client search', 10, (call) => clients.list(actor, { search: pick(words, call) }));
    await note('recent', 15, () => dashboard.recentFiles(actor));
    const asked = await questions(services, actor, base);
    await note('documents page, any filter, order, depth', 30, (call) =>
      documents.files(actor, pick(asked, call * 7)),
    );
    const less = await questions(services, small.actor, small.base);
    await note(`the same with ${FILES / 10} files`, null, (call) =>
      documents.files(small.actor, pick(less, call * 7)),
    );
    await note('storage breakdown', 20, () => dashboard.storageBreakdown(actor));
    await note('largest files', 20, () => dashboard.largestFiles(actor));
    await note('oldest untouched files', 20, () => dashboard.untouchedFiles(actor));
    await note('stats', 10, () => dashboard.stats(actor));
    const wrong = (await documents.recount()).length + (await clients.recount()).length;
    figures.push({
      name: 'running totals that differ from the sum',
      value: String(wrong),
      target: { text: '= 0', reached: wrong === 0 },
    });
    return figures;
  } finally {
    await services.stop();
    await db.destroy();
    await rm(dataDir, { recursive: true, force: true });
  }
}
