import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBuilt } from '#desktop/testing/program.ts';
import { browserUploads } from './browser-upload.ts';
import type { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { fixed, median, timed } from './measure.ts';
import type { BenchServer } from './server.ts';
import { many, scans } from './uploader-folder.ts';
import type { Program } from './uploader-program.ts';
import { openProgram, pause } from './uploader-program.ts';

/** The size of the large file; `BENCH_UPLOADER_MB=1024` is the full run. */
const MB = Number(process.env.BENCH_UPLOADER_MB ?? 256);
const RUNS = Number(process.env.BENCH_UPLOADER_RUNS ?? 3);
/** `BENCH_UPLOADER=small` measures that part alone. */
const isSelected = (part: string) => (process.env.BENCH_UPLOADER ?? part).split(',').includes(part);
const SMALL = 2000;
const SMALL_BYTES = 50 * 1024;
const AT_ONCE = 3;
const WATCHED = { folders: 500, each: 100 };
const IDLE_SECONDS = 180;

/** Adds files to the watched folder while the program pauses. @returns a function that sends them all to the vault. */
async function addPaused(
  program: Program,
  files: number,
  addFiles: () => Promise<void>,
): Promise<() => Promise<void>> {
  await program.pause(true);
  const before = program.ids().length;
  await addFiles();
  await program.until('waiting', files);
  return async () => {
    await program.pause(false);
    await program.until('done', before + files);
  };
}

/** Writes a file of random bytes and flushes it, so that the upload does not compete with its writing. */
async function largeFile(path: string): Promise<void> {
  const block = randomBytes(1024 * 1024);
  const file = await open(path, 'w');
  for (let index = 0; index < MB; index += 1) await file.write(block);
  await file.sync();
  await file.close();
}

/** One large file, compared with an upload in a browser, in turn. */
async function large(server: BenchServer, program: Program, client: Client): Promise<Figure[]> {
  const [ratios, speeds]: [number[], number[]] = [[], []];
  const used = { browser: [] as number[], sent: [] as number[], program: [] as number[] };
  const folder = await mkdtemp(join(tmpdir(), 'browser-upload-'));
  const browser = await browserUploads(server.url, client);
  try {
    for (let run = 0; run <= RUNS; run += 1) {
      const path = join(folder, `browser ${run}.pdf`);
      await largeFile(path);
      const [start, programStart] = [await server.cpu(), await program.cpu()];
      const inBrowser = await browser.upload(path);
      const between = await server.cpu();
      await rm(path);
      const send = await addPaused(program, 1, () => largeFile(join(program.watched, `large ${run}.pdf`)));
      const seconds = await timed(send);
      await client.call('DELETE', `/api/documents/${program.ids().at(-1)!}`);
      if (run === 0) continue;
      ratios.push(inBrowser / seconds);
      speeds.push(MB / seconds);
      used.browser.push(between - start);
      used.sent.push((await server.cpu()) - between);
      used.program.push((await program.cpu()) - programStart);
    }
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
  return [
    {
      name: `one file of ${MB} MB by the uploader, against Chromium`,
      value: `${fixed(median(ratios), 2)} × (${fixed(median(speeds), 0)} MB/s)`,
      target: { text: 'at least 0.9 ×', reached: median(ratios) >= 0.9 },
    },
    {
      name: "processor of the server for Chromium's, for the uploader's, and of the uploader",
      value: [used.browser, used.sent, used.program].map((all) => `${fixed(median(all))} s`).join(', '),
    },
  ];
}

/** Many small files, compared with the same number sent by a client that only uploads, three at a time. */
async function small(server: BenchServer, program: Program, client: Client): Promise<Figure[]> {
  const uploadDirectly = async (files: number, run: string): Promise<void> => {
    const names = Array.from({ length: files }, (_, index) => `alone ${run}-${index}.jpg`).values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const name of names) await client.upload(name, SMALL_BYTES, randomBytes(SMALL_BYTES));
      }),
    );
  };
  const addFiles = async (files: number, run: string) => {
    for (let index = 0; index < files; index += 1)
      await writeFile(join(program.watched, `scan ${run}-${index}.jpg`), randomBytes(SMALL_BYTES));
  };
  await uploadDirectly(200, 'warm');
  await (
    await addPaused(program, 200, () => addFiles(200, 'warm'))
  )();
  /** Files per second, and processor milliseconds of server and program per file. */
  const measured = async (work: () => Promise<void>) => {
    const before = [await server.cpu(), await program.cpu()] as const;
    const seconds = await timed(work);
    const each = (now: number, then: number) => ((now - then) * 1000) / SMALL;
    return {
      rate: SMALL / seconds,
      server: each(await server.cpu(), before[0]),
      program: each(await program.cpu(), before[1]),
    };
  };
  const limit = await measured(() => uploadDirectly(SMALL, 'one'));
  const sent = await measured(await addPaused(program, SMALL, () => addFiles(SMALL, 'one')));
  return [
    {
      name: `${SMALL} files of 50 KB by the uploader, against the server's own limit`,
      value: `${fixed(sent.rate / limit.rate, 2)} × (${fixed(sent.rate, 0)} of ${fixed(limit.rate, 0)} files/s)`,
      target: { text: 'at least 0.9 ×', reached: sent.rate >= limit.rate * 0.9 },
    },
    {
      name: "processor of the server for one of them, and for the uploader's",
      value: `${fixed(limit.server)} ms, ${fixed(sent.server)} ms`,
    },
    { name: 'processor of the uploader for one', value: `${fixed(sent.program)} ms` },
  ];
}

/** The program at idle, with a folder of many files. */
async function idle(program: Program): Promise<Figure[]> {
  const before = program.ids().length;
  await program.pause(true);
  for (let folder = 0; folder < WATCHED.folders; folder += 1) {
    const path = join(program.watched, `Client ${folder}`);
    await mkdir(path);
    for (let index = 0; index < WATCHED.each; index += 1) await writeFile(join(path, `${index}.pdf`), 'x');
  }
  const all = WATCHED.folders * WATCHED.each;
  await program.until('waiting', all);
  program.markAllDone();
  await program.pause(false);
  await program.stop();
  await program.start();
  // The first check of all files belongs to the start, not to idle.
  await pause(15_000);
  const first = await program.cpu();
  await pause(IDLE_SECONDS * 1000);
  const part = (((await program.cpu()) - first) / IDLE_SECONDS) * 100;
  const memory = (await program.megabytes()).now;
  const files = `${all + before} watched files`;
  return [
    { name: `the uploader's start with ${files}`, value: `${fixed(first, 1)} s of processor` },
    {
      name: `its processor at idle over ${IDLE_SECONDS} s`,
      value: `${fixed(part, 2)} %`,
      target: { text: 'at most 0.2 %', reached: part <= 0.2 },
    },
    {
      name: `its memory then, as ${isBuilt() ? 'the built program' : 'sources under this Node'}`,
      value: `${fixed(memory, 0)} MB`,
      target: { text: 'at most 160 MB', reached: memory <= 160 },
    },
  ];
}

/**
 * Measures Almirah Uploader, built or from source, together with the vault that it uploads to. BENCH_UPLOADER selects parts,
 * BENCH_UPLOADER_MB is the size of the large file and BENCH_UPLOADER_RUNS the number of runs.
 */
export async function uploader(server: BenchServer, client: Client): Promise<Figure[]> {
  const program = await openProgram(server, client);
  try {
    await program.start();
    await program.pair();
    return [
      ...(isSelected('scan') ? [await scans(server, client)] : []),
      ...(isSelected('many') ? await many(server, client) : []),
      ...(isSelected('large') ? await large(server, program, client) : []),
      ...(isSelected('small') ? await small(server, program, client) : []),
      ...(isSelected('idle') ? await idle(program) : []),
    ];
  } finally {
    await program.remove();
  }
}
