import { randomBytes } from 'node:crypto';
import type { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { fixed, median, timed } from './measure.ts';

const FILES = 200;
const AT_ONCE = 3;
const RUNS = 5;

/** 200 files of 50 KB, three at a time, each on the disk before it is acknowledged. */
export async function smallFiles(client: Client): Promise<Figure[]> {
  const block = randomBytes(50 * 1024);
  const rates: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const folder = await client.call<{ data: { id: number } }>('POST', '/api/documents/folder', {
      name: `small ${run}`,
    });
    const names = Array.from({ length: FILES }, (_, i) => `scan ${run}-${i}.jpg`).values();
    const seconds = await timed(() =>
      Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const name of names) await client.upload(name, block.length, block);
        }),
      ),
    );
    await client.call('DELETE', `/api/documents/${folder.data.id}`);
    if (run > 0) rates.push(FILES / seconds);
  }
  return [
    {
      name: '200 files of 50 KB, three at a time',
      value: `${fixed(median(rates), 0)} files/s`,
      target: { text: 'at least 500 files/s', reached: median(rates) >= 500 },
    },
  ];
}
