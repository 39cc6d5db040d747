import { randomBytes } from 'node:crypto';
import type { Client } from './client.ts';
import { flushes } from './limits.ts';
import type { Figure } from './measure.ts';
import { fixed, median, timed } from './measure.ts';
import type { BenchServer } from './server.ts';

const FILES = 200;
const AT_ONCE = 3;
const RUNS = 5;
/** V8 has compiled what it runs often only after some two thousand uploads; a server runs for days. */
const WARM_UP = 10;
/** Flushes per second from which on the disk is not the bottleneck. */
const FAST_DISK = 1500;

/** Measures uploads of 200 files of 50 KB, three at a time, on a server that is warm; each is durable before its response. */
export async function smallFiles(server: BenchServer, client: Client): Promise<Figure[]> {
  const block = randomBytes(50 * 1024);
  const rates: number[] = [];
  const cpu: number[] = [];
  const disk: number[] = [];
  for (let run = -WARM_UP; run < RUNS; run += 1) {
    const folder = await client.call<{ data: { id: number } }>('POST', '/api/documents/folder', {
      name: `small ${run}`,
    });
    const names = Array.from({ length: FILES }, (_, i) => `scan ${run}-${i}.jpg`).values();
    disk.push(await flushes(server.dataDir));
    const before = await server.cpu();
    const seconds = await timed(() =>
      Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const name of names) await client.upload(name, block.length, block);
        }),
      ),
    );
    const used = (await server.cpu()) - before;
    await client.call('DELETE', `/api/documents/${folder.data.id}`);
    if (run < 0) continue;
    rates.push(FILES / seconds);
    cpu.push((used * 1000) / FILES);
  }
  const flushRate = median(disk);
  const [least, why] = flushRate >= FAST_DISK ? [500, ''] : [flushRate / 2, ', half of the flushes'];
  return [
    { name: 'machine: flushes one after another', value: `${fixed(flushRate, 0)} a second` },
    {
      name: '200 files of 50 KB, three at a time',
      value: `${fixed(median(rates), 0)} files/s`,
      target: { text: `at least ${fixed(least, 0)} files/s${why}`, reached: median(rates) >= least },
    },
    {
      name: 'processor of the server for one of them',
      value: `${fixed(median(cpu))} ms`,
      target: { text: 'under 6 ms', reached: median(cpu) < 6 },
    },
  ];
}
