import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { pdf, photo } from '../server/tools/samples.ts';
import type { Group } from './cgroup.ts';
import { limited } from './cgroup.ts';
import { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { fixed, median, percentile, timed } from './measure.ts';
import type { BenchServer } from './server.ts';
import { root, scratchFolder, startServer } from './server.ts';
import { textOf } from './texts.ts';
import { scanned } from './unseen/degrade.ts';
import { Dice } from './unseen/random.ts';

const MB = 1024 ** 2;
/** A PC of fifteen years ago: 2 GB, two cores of half the speed of these, a hard disk. */
const BOX = { memory: 2048 * MB, processors: 1, disk: { bytes: 100 * MB, operations: 120 } };
/** The limit of the p95 of lists and searches under load, in ms. */
const P95_MAX = 1000;
const SCANS = Number(process.env.BENCH_SCANS ?? 10);
const MANY = process.env.BENCH_MANY ?? '100000';
/** The parts to measure; `BENCH_BOX=start,backup` selects some. */
const PARTS = (process.env.BENCH_BOX ?? 'morning,start,backup').split(',');

/** Runs other parts of the bench within the limits of the group. */
async function partsWithin(group: Group, names: readonly string[]): Promise<Figure[]> {
  const args = ['--max-semi-space-size=4', join(root, 'bench/run.ts'), ...names];
  const env = { ...process.env, BENCH_MANY: MANY };
  const run = await group.within(() =>
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env }),
  );
  const [code] = (await once(run, 'exit')) as [number | null];
  if (code !== 0) return [{ name: names.join(', '), value: 'was ended, or failed' }];
  const { figures } = JSON.parse(await readFile(join(root, 'bench/results/latest.json'), 'utf8')) as {
    figures: Figure[];
  };
  return figures;
}

/** Scans of two pages, photographs and PDFs with text, as an office uploads them in a morning. */
async function morningFiles(): Promise<{ name: string; bytes: Buffer }[]> {
  const jpeg = await sharp(photo()).resize(4000).jpeg().toBuffer();
  const made: { name: string; bytes: Buffer }[] = [];
  for (let n = 0; n < SCANS; n += 1) {
    const printed = pdf([0, 1].map((page) => textOf(n * 2 + page).split('\n')));
    made.push({ name: `scan ${n}.pdf`, bytes: await scanned(printed, new Dice(n)) });
    made.push({ name: `photo ${n}.jpg`, bytes: Buffer.concat([jpeg, Buffer.from(`${n}`)]) });
    const pages = Array.from({ length: 40 }, (_, index) => textOf(1000 + n * 40 + index).split('\n'));
    made.push({ name: `paper ${n}.pdf`, bytes: pdf(pages) });
  }
  return made;
}

/** Samples the memory of the group and of the server. @returns a function that ends it and gives the peaks. */
function watchMemory(group: Group, server: BenchServer) {
  const peak = { all: 0, server: 0 };
  let ended = false;
  const sampling = (async () => {
    while (!ended) {
      peak.all = Math.max(peak.all, await group.held());
      peak.server = Math.max(peak.server, (await server.memory()).now);
      await wait(200);
    }
  })();
  return async () => {
    ended = true;
    await sampling;
    return peak;
  };
}

const QUESTIONS = ['/api/documents?limit=100', '/api/documents/search?query=invoice', '/api/clients'];

/** Requests lists and searches until `isDone`. @returns the milliseconds of each. */
async function requestLists(client: Client, isDone: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isDone()) {
    for (const path of QUESTIONS) times.push((await timed(() => client.call('GET', path))) * 1000);
    await wait(200);
  }
  return times;
}

async function loadPreview(client: Client, id: number, page: number): Promise<void> {
  const answer = await client.send('GET', `/api/documents/${id}/pages/${page}`);
  answer.resume();
  await once(answer, 'end');
}

/** Waits until the newest backup has ended; the server starts the first one by itself. */
async function waitForBackup(client: Client): Promise<void> {
  for (;;) {
    const { data } = await client.call<{ data: { backups: { status: string }[] } }>('GET', '/api/backups');
    if (data.backups.length > 0 && data.backups[0]!.status !== 'running') return;
    await wait(300);
  }
}

async function backUp(client: Client): Promise<void> {
  await client.call('POST', '/api/backups/run');
  await wait(300);
  await waitForBackup(client);
}

async function waitForReading(client: Client): Promise<void> {
  for (;;) {
    const { data } = await client.call<{ data: { waiting: number } }>('GET', '/api/reading');
    if (data.waiting === 0) return;
    await wait(1000);
  }
}

/** Uploads, previews, readers of texts and scans and a backup, all at once. */
async function morning(group: Group, scratch: string): Promise<Figure[]> {
  const files = await morningFiles();
  const place = join(scratch, 'place');
  await mkdir(place, { recursive: true });
  const server = await startServer(join(scratch, 'data'), { BACKUP_DIR: place }, group);
  try {
    const client = await Client.register(server.url);
    await wait(3000);
    const idle = { all: await group.held(), server: (await server.memory()).now };
    const endWatch = watchMemory(group, server);
    let done = false;
    const lists = requestLists(client, () => done);
    const uploadTimes: number[] = [];
    const [backup, reading] = await (async (): Promise<[number, number]> => {
      for (const { name, bytes } of files) {
        const from = performance.now();
        const id = await client.upload(name, bytes.length, bytes);
        uploadTimes.push(performance.now() - from);
        // Not awaited, as for a list that is scrolled on.
        void loadPreview(client, id, 1).catch(() => {});
      }
      await waitForBackup(client);
      return [await timed(() => backUp(client)), await timed(() => waitForReading(client))];
    })().finally(async () => {
      done = true;
      await Promise.allSettled([lists]);
    });
    const [times, peak] = [await lists, await endWatch()];
    const p95 = percentile(times, 95);
    return [
      { name: 'weak box: memory while idle', value: `${fixed(idle.server, 0)} MB` },
      {
        name: `weak box: ${files.length} files in, with a preview of each; answer to one, p50 and p95`,
        value: `${fixed(median(uploadTimes), 0)}, ${fixed(percentile(uploadTimes, 95), 0)} ms`,
      },
      {
        name: 'weak box: lists and searches beside uploads, previews, readers and a backup, p50 and p95',
        value: `${fixed(median(times), 0)}, ${fixed(p95, 0)} ms of ${times.length}`,
        target: { text: `p95 at most ${P95_MAX} ms`, reached: p95 <= P95_MAX },
      },
      {
        name: 'weak box: a backup meanwhile, and all read after it',
        value: `${fixed(backup)} s, ${fixed(reading)} s`,
      },
      {
        name: 'weak box: memory at most, of the server and of all',
        value: `${fixed(peak.server, 0)} MB, ${fixed(peak.all, 0)} MB of 2048; ${await group.killed()} processes ended for want of it`,
        target: { text: 'none ended', reached: (await group.killed()) === 0 },
      },
    ];
  } finally {
    await server.stop();
  }
}

/**
 * Measures the weakest supported machine: the start, a busy office morning, and a nightly backup. BENCH_BOX selects among
 * `morning,start,backup`; BENCH_MANY is the number of files and BENCH_SCANS that of scanned papers.
 */
export async function weakBox(): Promise<Figure[]> {
  const scratch = await scratchFolder();
  const group = await limited(BOX, scratch);
  if (!group)
    return [
      { name: 'weak box', value: 'left out: it takes root, and a kernel that lets root limit processes' },
    ];
  try {
    const busy = PARTS.includes('morning') ? await morning(group, scratch) : [];
    const others = PARTS.filter((name) => name !== 'morning');
    const figures = others.length > 0 ? await partsWithin(group, others) : [];
    return [...busy, ...figures.map((figure) => ({ ...figure, name: `weak box: ${figure.name}` }))];
  } finally {
    await rm(scratch, { recursive: true });
    await group.remove();
  }
}
