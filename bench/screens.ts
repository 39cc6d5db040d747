import { performance } from 'node:perf_hooks';
import type { Knex } from 'knex';
import type { FilesQuery } from '../server/documents/contract.ts';
import type { Documents } from '../server/documents/service.ts';
import type { Services } from '../server/services.ts';
import type { FirmSize } from './firms.ts';
import type { FilledFirm } from './full-database.ts';
import { fullDatabase } from './full-database.ts';
import type { Figure } from './measure.ts';
import { fixed, percentile } from './measure.ts';
import { questions } from './questions.ts';

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
/** The number of other firms of the same size in the database. */
const FIRMS = number('BENCH_FIRMS', 3);
const FILES = 100_000;
/** Of the firm that shows how pages grow, beside one of 10,000 files. */
const MANY = number('BENCH_MANY', 200_000);
const CALLERS = 10;
const CALLS = 400;
/** Rows that the documents screen waits for before it shows them. */
const SCREENFUL = 40;

const size = (files: number): FirmSize => ({ clients: 2000, folders: files / 5, files });
const pick = <T>(from: readonly T[], call: number): T => from[call % from.length]!;

interface Taken {
  /** Milliseconds, as the callers wait. */
  p95: number;
  /** Milliseconds of processor for each call, all threads. */
  cpu: number;
}

/** `work`, done by ten callers at once; each call gets a number of its own. */
async function measure(work: (call: number) => Promise<unknown>, calls = CALLS): Promise<Taken> {
  await work(0);
  const times: number[] = [];
  const before = process.cpuUsage();
  const turns = Array.from({ length: calls }, (_, call) => call).values();
  const caller = async () => {
    for (const call of turns) {
      const started = performance.now();
      await work(call);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const { user, system } = process.cpuUsage(before);
  return { p95: percentile(times, 95), cpu: (user + system) / 1000 / calls };
}

/** The question that takes longest by itself, of those that were slow among the others. */
async function dearest(ask: (query: FilesQuery) => Promise<unknown>, asked: readonly FilesQuery[]) {
  const once = async (query: FilesQuery) => {
    const started = performance.now();
    await ask(query);
    return { query, time: performance.now() - started };
  };
  const first = [];
  for (const query of asked) first.push(await once(query));
  let worst = { query: asked[0]!, time: 0 };
  for (const { query } of first.toSorted((a, b) => b.time - a.time).slice(0, 50)) {
    const times = [await once(query), await once(query), await once(query)].map(({ time }) => time);
    const time = Math.min(...times);
    if (time > worst.time) worst = { query, time };
  }
  return worst;
}

/** Pages that are asked for until a screen is full or nothing is left; the most, of all questions. */
async function pagesToFill({ documents }: Services, { actor }: FilledFirm, asked: readonly FilesQuery[]) {
  let most = 0;
  for (const query of asked) {
    let rows = 0;
    let pages = 0;
    let cursor: string | null | undefined = query.cursor;
    while (rows < SCREENFUL && cursor !== null) {
      const page = await documents.files(actor, { ...query, ...(cursor && { cursor }) });
      rows += page.items.length;
      pages += 1;
      cursor = page.next_cursor;
    }
    most = Math.max(most, pages);
  }
  return most;
}

/**
 * What a page costs in firms of three sizes: one that is full in each of them, and, over all questions, what else a
 * larger firm asks for: a filter that leads to 5 files of 10,000 leads to 500 of a million, and a search for several
 * words has that much more to compare.
 */
async function growth(db: Knex, documents: Documents, firms: readonly FilledFirm[]): Promise<Figure[]> {
  const asked = await Promise.all(firms.map((firm) => questions(db, firm)));
  const full: number[] = [];
  for (const at of asked[0]!.keys()) {
    const pages = await Promise.all(firms.map(({ actor }, one) => documents.files(actor, asked[one]![at]!)));
    if (pages.every(({ items }, one) => items.length === asked[one]![at]!.limit)) full.push(at);
  }
  const logarithmic = Math.log(firms.at(-1)!.size.files) / Math.log(firms[0]!.size.files);
  const figure = async (of: string, places: readonly number[]): Promise<Figure> => {
    const cpu = [];
    for (const [one, { actor }] of firms.entries()) {
      const ask = (call: number) => documents.files(actor, asked[one]![pick(places, call * 7)]!);
      cpu.push((await measure(ask, places.length)).cpu);
    }
    const grown = cpu.at(-1)! / cpu[0]!;
    return {
      name: `documents page of ${firms.map(({ size: { files } }) => files).join(', ')} files, ${of}, CPU each`,
      value: `${cpu.map((one) => fixed(one, 2)).join(', ')} ms: ${fixed(grown, 2)} ×`,
      target: { text: `≤ ${fixed(logarithmic, 2)} ×`, reached: grown <= logarithmic },
    };
  };
  return [
    await figure(`the ${full.length} pages that are full in each`, full),
    await figure('all questions', [...asked[0]!.keys()]),
  ];
}

/** Measures the main screens of a full-size firm, with other firms in the database, for ten concurrent callers in process. BENCH_FIRMS and BENCH_MANY change the numbers of firms and of files. */
export async function screens(): Promise<Figure[]> {
  const others = Array.from({ length: FIRMS }, () => size(FILES));
  const full = await fullDatabase([...others, size(FILES / 10), size(FILES), size(MANY)]);
  const { db, services } = full;
  try {
    const [few, usual, many] = full.firms.slice(FIRMS) as [FilledFirm, FilledFirm, FilledFirm];
    const { actor } = usual;
    const { clients, dashboard, documents, records } = services;
    const figures: Figure[] = [];
    const note = async (
      name: string,
      limit: number,
      work: (call: number) => Promise<unknown>,
      calls?: number,
    ) => {
      const { p95, cpu } = await measure(work, calls);
      figures.push({
        name: `${name}, p95 of ten callers`,
        value: `${fixed(p95)} ms, ${fixed(cpu, 2)} ms CPU each`,
        target: { text: `≤ ${limit} ms`, reached: p95 <= limit },
      });
    };
    const sorts = ['name', 'city', 'added', 'changed'] as const;
    await note('clients list', 30, (call) =>
      clients.list(actor, { sort: pick(sorts, call), status: 'Active' }),
    );
    const words = ['client 0', '01999', 'c77@', '9800', 'aaapz1234a', 'nobody', 'cl', 'client 01 98'];
    await note('client search', 10, (call) => clients.list(actor, { search: pick(words, call) }));
    await note('recent', 15, () => dashboard.recentFiles(actor));
    const asked = await questions(db, usual);
    await note(
      `documents page, each of ${asked.length} filters, orders and depths`,
      30,
      (call) => documents.files(actor, pick(asked, call * 7)),
      asked.length,
    );
    const { query, time } = await dearest((one) => documents.files(actor, one), asked);
    figures.push({ name: `the dearest alone, ${JSON.stringify(query)}`, value: `${fixed(time)} ms` });
    const pages = await pagesToFill(services, usual, asked);
    figures.push({ name: 'pages until a screen is full, at most', value: String(pages) });
    figures.push(...(await growth(db, documents, [few, usual, many])));
    await note('storage breakdown', 20, () => dashboard.storageBreakdown(actor));
    await note('largest files', 20, () => dashboard.largestFiles(actor));
    await note('oldest untouched files', 20, () => dashboard.untouchedFiles(actor));
    await note('stats', 10, () => dashboard.stats(actor));
    const wrong = (await records.recount()).length + (await clients.recount()).length;
    figures.push({
      name: 'running totals that differ from the sum',
      value: String(wrong),
      target: { text: '= 0', reached: wrong === 0 },
    });
    return figures;
  } finally {
    await full.close();
  }
}
