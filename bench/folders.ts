import { randomBytes } from 'node:crypto';
import { forge } from '#server/archive/read/testing/forge.ts';
import { upload } from './archives.ts';
import type { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { fixed, median } from './measure.ts';
import { receive } from './receive.ts';
import type { BenchServer } from './server.ts';

const MIB = 1024 * 1024;
const RUNS = 5;
const MANY = 10_000;
/** The archive below makes 1 GiB when it is unpacked so many times. */
const COPIES = 16;

interface Extraction {
  status: string;
  message: string;
  folder_id: number;
}

/** Uploads an archive and unpacks it `times` times. @returns the new folders. */
async function unpackArchive(client: Client, name: string, archive: Buffer, times = 1): Promise<number[]> {
  const { id } = await upload(client, name, archive);
  const folders: number[] = [];
  while (folders.length < times) {
    const job = await client.call<{ extraction_id: number }>('POST', `/api/documents/${id}/extract`);
    let extraction: Extraction;
    do {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const path = `/api/documents/extraction-status/${job.extraction_id}`;
      extraction = (await client.call<{ data: Extraction }>('GET', path)).data;
    } while (extraction.status === 'starting' || extraction.status === 'processing');
    if (extraction.status !== 'completed') throw new Error(extraction.message);
    folders.push(extraction.folder_id);
  }
  await client.call('DELETE', `/api/documents/${id}`);
  return folders;
}

/** Measures downloads of folders as ZIPs, compared with one file of the same size in the same run. */
export async function folders(server: BenchServer, client: Client): Promise<Figure[]> {
  const block = randomBytes(MIB);
  const file = await client.upload('one.pdf', 1024 * MIB, block);
  const scans = Array.from({ length: 64 }, (_, n) => ({ name: `scan ${n}.pdf`, data: block, method: 0 }));
  const chosen = await unpackArchive(client, 'scans.zip', forge(scans), COPIES);
  const notes = Array.from({ length: MANY }, (_, n) => ({ name: `note ${n}.txt`, data: `Note ${n}` }));
  const [many] = await unpackArchive(client, 'notes.zip', forge(notes));

  const costs = { wall: [] as number[], cpu: [] as number[], grown: [] as number[] };
  const zip = { wall: [] as number[], cpu: [] as number[], grown: [] as number[] };
  const ratio: number[] = [];
  const first: number[] = [];
  async function measured(into: typeof costs, path: string): Promise<void> {
    await server.resetPeak();
    const [cpu, { now }] = [await server.cpu(), await server.memory()];
    into.wall.push((await receive(server.url, path)).all);
    into.cpu.push((await server.cpu()) - cpu);
    into.grown.push((await server.memory()).peak - now);
  }
  for (let run = 0; run <= RUNS; run += 1) {
    await measured(costs, await client.downloadPath(file));
    const { download_url } = await client.call<{ download_url: string }>(
      'POST',
      '/api/documents/download-token',
      { ids: chosen },
    );
    await measured(zip, download_url);
    ratio.push(costs.wall.at(-1)! / zip.wall.at(-1)!);
    first.push((await receive(server.url, await client.downloadPath(many!))).first * 1000);
  }
  // The first run is a warm-up and does not count.
  const [, ...warm] = ratio;
  const figure = ({ wall, cpu, grown }: typeof costs) =>
    `${fixed(1024 / median(wall.slice(1)), 0)} MB/s, ${fixed(median(cpu.slice(1)), 2)} s server CPU, ` +
    `${fixed(median(grown.slice(1)), 0)} MB more memory`;
  return [
    { name: 'download 1 GiB as one file', value: figure(costs) },
    { name: 'download 1 GiB as a ZIP of 1,024 files', value: figure(zip) },
    {
      name: 'speed of the ZIP against that of one file',
      value: `${fixed(median(warm), 2)} ×`,
      target: { text: 'at least 0.8 ×', reached: median(warm) >= 0.8 },
    },
    {
      name: 'first byte of a folder of 10,000 files',
      value: `${fixed(median(first), 0)} ms`,
      target: { text: 'under 200 ms', reached: median(first) < 200 },
    },
  ];
}
