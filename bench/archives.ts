import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { Forged } from '#server/archive/read/testing/forge.ts';
import { forge } from '#server/archive/read/testing/forge.ts';
import type { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { fixed, median, percentile, timed } from './measure.ts';
import type { BenchServer } from './server.ts';

const MIB = 1024 * 1024;
const RUNS = 3;
/** How long pages are measured while many rows are deleted; the deletion begins within 15 s. */
const PURGING_MS = 30_000;

interface Extraction {
  status: string;
  message: string;
  folder_id: number;
}

interface Extracted {
  seconds: number;
  /** Peak memory of the server in MB, above that before. */
  grown: number;
  /** Milliseconds of each page that was requested meanwhile. */
  pages: number[];
  end: Extraction;
}

/** Does the work while requesting a page every 20 ms. @returns seconds of the work, milliseconds of each page. */
async function withPageRequests(
  client: Client,
  work: () => Promise<void>,
): Promise<{ seconds: number; pages: number[] }> {
  const pages: number[] = [];
  let done = false;
  const reader = (async () => {
    while (!done) {
      pages.push((await timed(() => client.drain('/api/documents?limit=50'))) * 1000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const seconds = await timed(work);
  done = true;
  await reader;
  return { seconds, pages };
}

async function unpack(server: BenchServer, client: Client, id: number): Promise<Extracted> {
  await server.resetPeak();
  const before = (await server.memory()).now;
  let end: Extraction | undefined;
  const { seconds, pages } = await withPageRequests(client, async () => {
    const started = await client.call<{ extraction_id: number }>('POST', `/api/documents/${id}/extract`);
    while (!end || end.status === 'starting' || end.status === 'processing') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const path = `/api/documents/extraction-status/${started.extraction_id}`;
      end = (await client.call<{ data: Extraction }>('GET', path)).data;
    }
  });
  return { seconds, grown: (await server.memory()).peak - before, pages, end: end! };
}

/** Seconds of `unzip` onto the same disk, with every file flushed, as the server flushes before it says "saved". */
async function timeUnzip(folder: string, archive: Buffer): Promise<number> {
  const [zip, out] = [join(folder, 'peer.zip'), join(folder, 'peer')];
  await writeFile(zip, archive);
  const seconds = await timed(async () => {
    execFileSync('unzip', ['-qq', zip, '-d', out]);
    for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = await open(join(entry.parentPath, entry.name));
      await file.sync();
      await file.close();
    }
  });
  await rm(zip);
  await rm(out, { recursive: true });
  return seconds;
}

/** `count` files of `size` bytes, half of which compress. */
function office(count: number, size: number): Buffer {
  const kinds = Array.from({ length: 10 }, () => {
    const data = Buffer.concat([randomBytes(size / 2), Buffer.alloc(size / 2, 'Tax invoice ')]);
    return { data, packed: deflateRawSync(data) };
  });
  return forge(
    Array.from({ length: count }, (_, n): Forged => ({
      name: `Client ${n % 40}/return ${n}.pdf`,
      ...kinds[n % 10]!,
    })),
  );
}

export async function upload(
  client: Client,
  name: string,
  archive: Buffer,
): Promise<{ id: number; seconds: number }> {
  let id = 0;
  // While this process made the archive, the server closed idle connections: the agent has to notice that first.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const seconds = await timed(async () => {
    id = await client.upload(name, archive.length, archive);
  });
  return { id, seconds };
}

/** Measures the extraction of uploaded ZIP archives. */
export async function archives(server: BenchServer, client: Client): Promise<Figure[]> {
  const figures: Figure[] = [];
  const memory: [string, number][] = [];
  const scratch = join(server.dataDir, '..', `${Date.now()}-peer`);
  await mkdir(scratch);

  const returns = office(2000, 100 * 1024);
  const { id } = await upload(client, 'returns.zip', returns);
  const [times, unzipTimes, pages] = [[] as number[], [] as number[], [] as number[]];
  for (let run = 0; run <= RUNS; run += 1) {
    const unzip = await timeUnzip(scratch, returns);
    const extraction = await unpack(server, client, id);
    if (extraction.end.status !== 'completed') throw new Error(extraction.end.message);
    await client.call('DELETE', `/api/documents/${extraction.end.folder_id}`);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    if (run === 0) continue;
    unzipTimes.push(unzip);
    times.push(extraction.seconds);
    pages.push(...extraction.pages);
    memory.push(['2,000 files', extraction.grown]);
  }
  const ratio = median(times) / median(unzipTimes);
  figures.push({
    name: '2,000 files, 200 MB unpacked',
    value: `${fixed(median(times), 2)} s, ${fixed(ratio, 2)} × unzip with fsync (${fixed(median(unzipTimes), 2)} s)`,
    target: { text: 'at most 2 ×', reached: ratio <= 2 },
  });
  figures.push(pagesFigure('2,000 files', pages));
  await rm(scratch, { recursive: true });

  // Just below the maximum size of a buffer that Node writes at once.
  const stored = forge([{ name: 'scan.pdf', data: randomBytes(2000 * MIB), method: 0 }]);
  const large = await upload(client, 'large.zip', stored);
  const largeExtraction = await unpack(server, client, large.id);
  memory.push(['2 GB stored', largeExtraction.grown]);
  const slower = largeExtraction.seconds / large.seconds;
  figures.push({
    name: 'one stored file of 2 GB unpacked',
    value: `${fixed(largeExtraction.seconds, 1)} s, ${fixed(slower, 2)} × its upload (${fixed(large.seconds, 1)} s)`,
    target: { text: 'within 1.5 ×', reached: largeExtraction.end.status === 'completed' && slower <= 1.5 },
  });
  figures.push(pagesFigure('the 2 GB file', largeExtraction.pages));
  for (const item of [large.id, largeExtraction.end.folder_id])
    await client.call('DELETE', `/api/documents/${item}`);

  const zeros = Buffer.alloc(900 * MIB);
  const bombs: [string, Buffer][] = [
    ['900 MB of zeros', forge([{ name: 'a.csv', data: zeros, packed: deflateRawSync(zeros) }])],
    ['a size that lies', forge([{ name: 'a.csv', packed: deflateRawSync(zeros), size: 100_000, crc: 0 }])],
    [
      '65,536 files',
      forge(Array.from({ length: 65_536 }, (_, n) => ({ name: `f${n % 50}/${n}.txt`, data: 'x' }))),
    ],
    [
      'names of 700 bytes',
      forge(Array.from({ length: 60_000 }, (_, n) => ({ name: `${'ग'.repeat(220)}${n}.txt`, method: 0 }))),
    ],
  ];
  for (const [name, archive] of bombs) {
    const bomb = await upload(client, 'bomb.zip', archive);
    const { seconds, grown, pages, end } = await unpack(server, client, bomb.id);
    memory.push([name, grown]);
    figures.push({
      ...pagesFigure(name, pages),
      name: `${name}: ${end.status} in ${fixed(seconds, 1)} s, a page meanwhile`,
    });
    await client.call('DELETE', `/api/documents/${bomb.id}`);
    if (!end.folder_id) continue;
    const removed = await withPageRequests(client, async () => {
      await client.call('DELETE', `/api/documents/${end.folder_id}`);
      await new Promise((resolve) => setTimeout(resolve, PURGING_MS));
    });
    figures.push(pagesFigure(`what was unpacked of ${name}`, removed.pages, 'goes'));
  }

  const peak = memory.toSorted((a, b) => b[1] - a[1])[0]!;
  figures.push({
    name: 'most memory above idle while unpacking',
    value: `${fixed(peak[1], 0)} MB (${peak[0]})`,
    target: { text: 'under 150 MB', reached: peak[1] < 150 },
  });
  for (const [name, grown] of memory.slice(RUNS - 1)) console.error(`  ${name}: ${fixed(grown, 0)} MB`);
  return figures;
}

function pagesFigure(
  label: string,
  pages: number[],
  verb = label.endsWith('s') ? 'unpack' : 'unpacks',
): Figure {
  const p99 = percentile(pages, 99);
  return {
    name: `a page while ${label} ${verb}`,
    value: `p99 ${fixed(p99, 0)} ms, worst ${fixed(Math.max(...pages), 0)} ms`,
    target: { text: 'p99 under 200 ms', reached: p99 < 200 },
  };
}
