import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createColumnSealer, SEALED } from '#server/datadir/sealing.ts';
import { createReading } from '#server/reading/service.ts';
import { createBuild } from '../server/testing/build.ts';
import { pdf } from '../server/tools/samples.ts';
import { openServices } from './full-database.ts';
import type { Figure } from './measure.ts';
import { fixed, timed } from './measure.ts';
import { scratchFolder } from './server.ts';
import { textOf } from './texts.ts';

const FILES = 12;
const PAGES = 50;

/** The most memory that any process begun by this one has held, in MB. */
async function mostOfChildren(): Promise<number> {
  const tasks = await readdir('/proc/self/task').catch(() => []);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/self/task/${task}/children`, 'utf8').catch(() => '')),
  );
  const pids = lists.join(' ').split(' ').filter(Boolean);
  const held = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    }),
  );
  return Math.max(0, ...held);
}

/** How fast PDFs with text are read, from the sealed file to its place in the index, and in how much memory. */
export async function readingFiles(): Promise<Figure[]> {
  const folder = await scratchFolder();
  const { db, blobs, services, close } = await openServices(folder);
  const reading = createReading({
    ...services,
    db,
    blobs,
    clock: () => new Date(),
    log: { info() {} },
    seal: createColumnSealer(randomBytes(32), SEALED.textIndex.purpose),
    on: true,
  });
  try {
    const build = createBuild({ services, blobs, db });
    const actor = await build.actor();
    const add = (name: string, pages: number, from: number) =>
      build.file(actor, {
        name,
        content: pdf(Array.from({ length: pages }, (_, at) => textOf(from + at).split('\n'))),
      });
    // The process begins with the first file.
    await add('first.pdf', 1, 0);
    const signal = new AbortController().signal;
    await reading.work(signal);
    for (let n = 0; n < FILES; n += 1) await add(`${n}.pdf`, PAGES, 1 + n * PAGES);
    let most = 0;
    const look = setInterval(() => void mostOfChildren().then((now) => (most = Math.max(most, now))), 100);
    const seconds = await timed(() => reading.work(signal));
    clearInterval(look);
    const pages = FILES * PAGES;
    return [
      {
        name: `reading ${pages} pages of PDFs with text`,
        value: `${fixed((pages / seconds) * 60, 0)} pages a minute, at most ${fixed(most, 0)} MB in the reader`,
      },
    ];
  } finally {
    reading.stop();
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
