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
import { documentQueries } from './questions.ts';

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
/** The number of other firms of the same size in the database. */
const FIRMS = number('BENCH_FIRMS', 3);
const FILES = 100_000;
/** The number of files of the largest firm, with which the growth of page times is measured. */
const MANY = number('BENCH_MANY', 200_000);
const CALLERS = 10;
const CALLS = 400;
/** The rows that fill the Documents screen. */
const SCREENFUL = 40;

const size = (files: number): FirmSize => ({ clients: 2000, folders: files / 5, files });
const pick = <T>(from: readonly T[], call: number): T => from[call % from.length]!;

interface Measured {
  /** Wall time of a call in milliseconds. */
  p95: number;
  /** CPU time of a call in milliseconds, of all threads. */
  cpu: number;
}

/** Measures `work`, called by ten callers at the same time; each call gets a number of its own. */
async function measure(work: (call: number) => Promise<unknown>, calls = CALLS): Promise<Measured> {
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

/** The slowest query: the 50 slowest of all are measured again, each by the best of three times. */
async function slowest(ask: (query: FilesQuery) => Promise<unknown>, queries: readonly FilesQuery[]) {
  const once = async (query: FilesQuery) => {
    const started = performance.now();
    await ask(query);
    return { query, time: performance.now() - started };
  };
  const first = [];
  for (const query of queries) first.push(await once(query));
  let worst = { query: queries[0]!, time: 0 };
  for (const { query } of first.toSorted((a, b) => b.time - a.time).slice(0, 50)) {
    const times = [await once(query), await once(query), await once(query)].map(({ time }) => time);
    const time = Math.min(...times);
    if (time > worst.time) worst = { query, time };
  }
  return worst;
}

/** The number of pages to load until the screen is full or the list ends; the maximum of all queries. */
async function pagesToFill({ documents }: Services, { actor }: FilledFirm, queries: readonly FilesQuery[]) {
  let max = 0;
  for (const query of queries) {
    let rows = 0;
    let pages = 0;
    let cursor: string | null | undefined = query.cursor;
    while (rows < SCREENFUL && cursor !== null) {
      const page = await documents.files(actor, { ...query, ...(cursor && { cursor }) });
      rows += page.items.length;
      pages += 1;
      cursor = page.next_cursor;
    }
    max = Math.max(max, pages);
  }
  return max;
}

/**
 * Compares the CPU time of a page in firms of three sizes: of pages that are full in each firm, and of all queries. The
 * latter also have more to do in a larger firm: a filter that matches 5 of 10,000 files matches 500 of a million, and a
 * search for several words compares as many more names.
 */
async function growth(db: Knex, documents: Documents, firms: readonly FilledFirm[]): Promise<Figure[]> {
  const queries = await Promise.all(firms.map((firm) => documentQueries(db, firm)));
  const full: number[] = [];
  for (const index of queries[0]!.keys()) {
    const pages = await Promise.all(
      firms.map(({ actor }, firm) => documents.files(actor, queries[firm]![index]!)),
    );
    if (pages.every(({ items }, firm) => items.length === queries[firm]![index]!.limit)) full.push(index);
  }
  const logarithmic = Math.log(firms.at(-1)!.size.files) / Math.log(firms[0]!.size.files);
  const figure = async (of: string, places: readonly number[]): Promise<Figure> => {
    const cpu = [];
    for (const [firm, { actor }] of firms.entries()) {
      const ask = (call: number) => documents.files(actor, queries[firm]![pick(places, call * 7)]!);
      cpu.push((await measure(ask, places.length)).cpu);
    }
    const grown = cpu.at(-1)! / cpu[0]!;
    return {
      name: `documents page of ${firms.map(({ size: { files } }) => files).join(', ')} files, ${of}, CPU each`,
      value: `${cpu.map((time) => fixed(time, 2)).join(', ')} ms: ${fixed(grown, 2)} ×`,
      target: { text: `≤ ${fixed(logarithmic, 2)} ×`, reached: grown <= logarithmic },
    };
  };
  return [
    await figure(`the ${full.length} pages that are full in each`, full),
    await figure('all questions', [...queries[0]!.keys()]),
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
    const addFigure = async (
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
    await addFigure('clients list', 30, (call) =>
      clients.list(actor, { sort: pick(sorts, call), status: 'Active' }),
    );
    const words = ['client 0', '01999', 'c77@', '9800', 'aaapz1234a', 'nobody', 'cl', 'client 01 98'];
    await addFigure('client search', 10, (call) => clients.list(actor, { search: pick(words, call) }));
    await addFigure('recent', 15, () => dashboard.recentFiles(actor));
    const queries = await documentQueries(db, usual);
    await addFigure(
      `documents page, each of ${queries.length} filters, orders and depths`,
      30,
      (call) => documents.files(actor, pick(queries, call * 7)),
      queries.length,
    );
    const { query, time } = await slowest((query) => documents.files(actor, query), queries);
    figures.push({ name: `the dearest alone, ${JSON.stringify(query)}`, value: `${fixed(time)} ms` });
    const pages = await pagesToFill(services, usual, queries);
    figures.push({ name: 'pages until a screen is full, at most', value: String(pages) });
    figures.push(...(await growth(db, documents, [few, usual, many])));
    await addFigure('storage breakdown', 20, () => dashboard.storageBreakdown(actor));
    await addFigure('largest files', 20, () => dashboard.largestFiles(actor));
    await addFigure('oldest untouched files', 20, () => dashboard.untouchedFiles(actor));
    await addFigure('stats', 10, () => dashboard.stats(actor));
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
