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
/** A PC of fifteen years ago: 2 GB, two cores of half the speed of these, a disk that turns. */
const BOX = { memory: 2048 * MB, processors: 1, disk: { bytes: 100 * MB, operations: 120 } };
/** What people wait for beside all else, in ms at the 95th of a hundred. */
const MOST = 1000;
const SCANS = Number(process.env.BENCH_SCANS ?? 10);
const MANY = process.env.BENCH_MANY ?? '100000';
/** Of these, `BENCH_BOX=start,backup` measures some. */
const PARTS = (process.env.BENCH_BOX ?? 'morning,start,backup').split(',');

/** Other parts of the bench, run whole in the box. */
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

/** Scans of two pages, photographs and papers with a text, as an office puts them in on a morning. */
async function papers(): Promise<{ name: string; bytes: Buffer }[]> {
  const jpeg = await sharp(photo()).resize(4000).jpeg().toBuffer();
  const made: { name: string; bytes: Buffer }[] = [];
  for (let n = 0; n < SCANS; n += 1) {
    const printed = pdf([0, 1].map((page) => textOf(n * 2 + page).split('\n')));
    made.push({ name: `scan ${n}.pdf`, bytes: await scanned(printed, new Dice(n)) });
    made.push({ name: `photo ${n}.jpg`, bytes: Buffer.concat([jpeg, Buffer.from(`${n}`)]) });
    const pages = Array.from({ length: 40 }, (_, at) => textOf(1000 + n * 40 + at).split('\n'));
    made.push({ name: `paper ${n}.pdf`, bytes: pdf(pages) });
  }
  return made;
}

/** Looks until it is told to end: how much was held at most, and by whom. */
function watch(group: Group, server: BenchServer) {
  const most = { all: 0, server: 0 };
  let ended = false;
  const looking = (async () => {
    while (!ended) {
      most.all = Math.max(most.all, await group.held());
      most.server = Math.max(most.server, (await server.memory()).now);
      await wait(200);
    }
  })();
  return async () => {
    ended = true;
    await looking;
    return most;
  };
}

const QUESTIONS = ['/api/documents?limit=100', '/api/documents/search?query=invoice', '/api/clients'];

/** Asks what people ask until all is done. @returns what each answer took, in ms. */
async function asking(client: Client, isDone: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isDone()) {
    for (const path of QUESTIONS) times.push((await timed(() => client.call('GET', path))) * 1000);
    await wait(200);
  }
  return times;
}

async function pictureOf(client: Client, id: number, page: number): Promise<void> {
  const answer = await client.send('GET', `/api/documents/${id}/pages/${page}`);
  answer.resume();
  await once(answer, 'end');
}

/** The first one is made by itself. */
async function backupEnded(client: Client): Promise<void> {
  for (;;) {
    const { data } = await client.call<{ data: { backups: { status: string }[] } }>('GET', '/api/backups');
    if (data.backups.length > 0 && data.backups[0]!.status !== 'running') return;
    await wait(300);
  }
}

async function backedUp(client: Client): Promise<void> {
  await client.call('POST', '/api/backups/run');
  await wait(300);
  await backupEnded(client);
}

async function allRead(client: Client): Promise<void> {
  for (;;) {
    const { data } = await client.call<{ data: { waiting: number } }>('GET', '/api/reading');
    if (data.waiting === 0) return;
    await wait(1000);
  }
}

/** Uploads, previews, readers of texts and scans and a backup, all at once. */
async function morning(group: Group, scratch: string): Promise<Figure[]> {
  const files = await papers();
  const place = join(scratch, 'place');
  await mkdir(place, { recursive: true });
  const server = await startServer(join(scratch, 'data'), { BACKUP_DIR: place }, group);
  try {
    const client = await Client.register(server.url);
    await wait(3000);
    const idle = { all: await group.held(), server: (await server.memory()).now };
    const ended = watch(group, server);
    let done = false;
    const asked = asking(client, () => done);
    const put: number[] = [];
    const [backup, reading] = await (async (): Promise<[number, number]> => {
      for (const { name, bytes } of files) {
        const from = performance.now();
        const id = await client.upload(name, bytes.length, bytes);
        put.push(performance.now() - from);
        // Nobody waits for it, as in a list that is scrolled on.
        void pictureOf(client, id, 1).catch(() => {});
      }
      await backupEnded(client);
      return [await timed(() => backedUp(client)), await timed(() => allRead(client))];
    })().finally(async () => {
      done = true;
      await Promise.allSettled([asked]);
    });
    const [times, most] = [await asked, await ended()];
    const p95 = percentile(times, 95);
    return [
      { name: 'weak box: memory while idle', value: `${fixed(idle.server, 0)} MB` },
      {
        name: `weak box: ${files.length} files in, with a preview of each; answer to one, p50 and p95`,
        value: `${fixed(median(put), 0)}, ${fixed(percentile(put, 95), 0)} ms`,
      },
      {
        name: 'weak box: lists and searches beside uploads, previews, readers and a backup, p50 and p95',
        value: `${fixed(median(times), 0)}, ${fixed(p95, 0)} ms of ${times.length}`,
        target: { text: `p95 at most ${MOST} ms`, reached: p95 <= MOST },
      },
      {
        name: 'weak box: a backup meanwhile, and all read after it',
        value: `${fixed(backup)} s, ${fixed(reading)} s`,
      },
      {
        name: 'weak box: memory at most, of the server and of all',
        value: `${fixed(most.server, 0)} MB, ${fixed(most.all, 0)} MB of 2048; ${await group.killed()} processes ended for want of it`,
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
    return [...busy, ...figures.map((one) => ({ ...one, name: `weak box: ${one.name}` }))];
  } finally {
    await rm(scratch, { recursive: true });
    await group.remove();
  }
}
