import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createColumnSealer, SEALED } from '#server/db/column-encryption.ts';
import { createReading } from '#server/reading/service.ts';
import { createBuild } from '../server/testing/build.ts';
import { pdf } from '../server/tools/samples.ts';
import { drawn } from '../server/reading/testing/scans.ts';
import { childUsage } from './children.ts';
import { openServices } from './full-database.ts';
import type { Figure } from './measure.ts';
import { fixed, timed } from './measure.ts';
import { scratchFolder } from './server.ts';
import { textOf } from './texts.ts';

const FILES = 12;
const PAGES = 50;

/** Pages of A4 at 200 dots per inch, each in a file of its own. */
const SCANS = 6;
const [WIDE, HIGH] = [1654, 2339];

interface Read {
  seconds: number;
  /** Processor seconds of the reader processes. */
  processor: number;
  /** Peak memory of the largest of them, in MB. */
  memory: number;
}

/** Adds files and measures how they are read, after one file that starts the processes. */
async function readAll(
  scans: 'on' | 'off',
  files: number,
  contentOf: (n: number) => Promise<{ name: string; content: Buffer }>,
): Promise<Read> {
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
    scans,
  });
  const signal = new AbortController().signal;
  const work = async () => {
    while ((await reading.work(signal)) + (await reading.scan(signal)) > 0);
  };
  try {
    const build = createBuild({ services, blobs, db });
    const actor = await build.actor();
    await build.file(actor, await contentOf(0));
    await work();
    for (let n = 1; n <= files; n += 1) await build.file(actor, await contentOf(n));
    const before = await childUsage();
    let memory = 0;
    const sampling = setInterval(
      () => void childUsage().then((now) => (memory = Math.max(memory, now.memory))),
      100,
    );
    const seconds = await timed(work);
    clearInterval(sampling);
    return { seconds, processor: (await childUsage()).processor - before.processor, memory };
  } finally {
    reading.stop();
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}

const figure = (label: string, pages: number, { seconds, processor, memory }: Read): Figure => ({
  name: `reading ${pages} ${label}`,
  value: `${fixed((pages / seconds) * 60, 0)} pages a minute, ${fixed((pages / processor) * 60, 0)} of one processor; at most ${fixed(memory, 0)} MB in a reader`,
});

/** Measures the speed and memory of reading PDFs with text and scans, from the sealed file to the index. */
export async function readingFiles(): Promise<Figure[]> {
  const plain = await readAll('off', FILES, async (n) => ({
    name: `${n}.pdf`,
    content: pdf(Array.from({ length: PAGES }, (_, index) => textOf(n * PAGES + index).split('\n'))),
  }));
  const scans = await readAll('on', SCANS, async (n) => ({
    name: `${n}.jpg`,
    content: await drawn(
      textOf(n)
        .split('\n')
        .slice(0, 34)
        .map((line) => line.slice(0, 80)),
      { width: WIDE, height: HIGH, lean: 0.01 },
    ),
  }));
  return [figure('pages of PDFs with text', FILES * PAGES, plain), figure('scans at 200 dpi', SCANS, scans)];
}
