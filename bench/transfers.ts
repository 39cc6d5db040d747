import { randomBytes } from 'node:crypto';
import type { Client } from './client.ts';
import { limits } from './limits.ts';
import type { Figure } from './measure.ts';
import { fixed, median, percentile, timed } from './measure.ts';
import { receive } from './receive.ts';
import type { BenchServer } from './server.ts';

const GIB = 1024 ** 3;
const RUNS = 5;
const RANGE_BYTES = 65_536;
const RANGES = 200;

const speed = (seconds: number) => `${fixed(GIB / 1024 ** 2 / seconds, 0)} MB/s`;

/** Measures the upload and download of a 1 GiB file, compared with the machine's limits for the same bytes in the same run. */
export async function transfers(server: BenchServer, client: Client): Promise<Figure[]> {
  const block = randomBytes(1024 * 1024);
  const up = {
    disk: [] as number[],
    ratio: [] as number[],
    wall: [] as number[],
    cpu: [] as number[],
    grown: [] as number[],
  };
  const tus = { disk: [] as number[], ratio: [] as number[] };
  const down = { ratio: [] as number[], wall: [] as number[], cpu: [] as number[] };
  const floor = { disk: [] as number[], sha: [] as number[], aes: [] as number[], busboy: [] as number[] };
  const range: number[] = [];

  for (let run = 0; run <= RUNS; run += 1) {
    const alone = await limits(GIB, server.dataDir);
    await server.resetPeak();
    const before = { cpu: await server.cpu(), memory: (await server.memory()).now };
    let id = 0;
    const upload = await timed(async () => {
      id = await client.upload(`one-${run}.pdf`, GIB, block);
    });
    const uploadCpu = (await server.cpu()) - before.cpu;
    const grown = (await server.memory()).peak - before.memory;
    const tusBefore = await server.cpu();
    let second = 0;
    const resumable = await timed(async () => {
      second = await client.uploadResumable(`two-${run}.pdf`, GIB, block);
    });
    const tusCpu = (await server.cpu()) - tusBefore;
    await client.call('DELETE', `/api/documents/${second}`);
    const path = await client.downloadPath(id);
    const cpuBefore = await server.cpu();
    const download = (await receive(server.url, path)).all;
    const downloadCpu = (await server.cpu()) - cpuBefore;
    if (run === RUNS) {
      for (let i = 0; i < RANGES; i += 1) {
        const start = Math.floor((GIB / RANGES) * i) + 13;
        range.push(await timed(() => client.drain(path, `bytes=${start}-${start + RANGE_BYTES - 1}`)));
      }
    }
    await client.call('DELETE', `/api/documents/${id}`);
    // The first run is a warm-up and does not count.
    if (run === 0) continue;
    up.wall.push(upload);
    up.cpu.push(uploadCpu);
    up.grown.push(grown);
    up.disk.push(alone.diskWrite / upload);
    up.ratio.push(uploadCpu / alone.cpu);
    tus.disk.push(alone.diskWrite / resumable);
    tus.ratio.push(tusCpu / alone.cpu);
    down.wall.push(download);
    down.cpu.push(downloadCpu);
    down.ratio.push(download / alone.aesGcm);
    floor.disk.push(alone.diskWrite);
    floor.sha.push(alone.sha256);
    floor.aes.push(alone.aesGcm);
    floor.busboy.push(alone.busboy);
  }

  const ratio = (values: number[]) => `${fixed(median(values), 2)} ×`;
  const p95 = percentile(range, 95) * 1000;
  return [
    { name: 'machine: disk write and fsync, 1 GiB', value: speed(median(floor.disk)) },
    { name: 'machine: SHA-256, 1 GiB', value: speed(median(floor.sha)) },
    { name: 'machine: AES-256-GCM, 1 GiB', value: speed(median(floor.aes)) },
    { name: 'machine: busboy, 1 GiB', value: speed(median(floor.busboy)) },
    { name: 'upload 1 GiB', value: `${speed(median(up.wall))}, ${fixed(median(up.cpu), 2)} s server CPU` },
    ...[
      { how: 'as a form', ...up },
      { how: 'by tus', ...tus },
    ].flatMap(({ how, disk, ratio: cpu }) => [
      {
        name: `upload 1 GiB ${how} against the disk's own speed`,
        value: ratio(disk),
        target: { text: 'at least 0.8 ×', reached: median(disk) >= 0.8 },
      },
      {
        name: `its processor against SHA-256 + AES-256-GCM + busboy`,
        value: ratio(cpu),
        target: { text: 'at most 2 ×', reached: median(cpu) <= 2 },
      },
    ]),
    {
      name: 'memory grown during an upload of 1 GiB',
      value: `${fixed(median(up.grown), 0)} MB`,
      target: { text: 'under 64 MB', reached: median(up.grown) < 64 },
    },
    {
      name: 'download 1 GiB',
      value: `${speed(median(down.wall))}, ${fixed(median(down.cpu), 2)} s server CPU`,
    },
    {
      name: 'download 1 GiB against AES-256-GCM',
      value: ratio(down.ratio),
      target: { text: 'at most 2 ×', reached: median(down.ratio) <= 2 },
    },
    {
      name: 'range of 64 KB out of 1 GiB, p95',
      value: `${fixed(p95, 2)} ms`,
      target: { text: 'at most 3 ms', reached: p95 <= 3 },
    },
  ];
}
