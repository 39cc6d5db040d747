import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { fixed, median, timed } from './measure.ts';
import type { BenchServer } from './server.ts';
import { scratchFolder, startServer } from './server.ts';

const MB = 1024 * 1024;
const SIZE = 256 * MB;
const ROUNDS = 3;
/** The HTTP version of curl for each variant; `plain` is a server without https. */
const WAYS = { plain: '--http1.1', 'HTTP/1.1 over TLS': '--http1.1', 'HTTP/2 over TLS': '--http2' };
type Way = keyof typeof WAYS;
const run = promisify(execFile);

/** Wall seconds, and processor seconds of the server. */
interface Cost {
  wall: number;
  cpu: number;
}

async function cost(server: BenchServer, work: () => Promise<unknown>): Promise<Cost> {
  const before = await server.cpu();
  const wall = await timed(work);
  return { wall, cpu: (await server.cpu()) - before };
}

/**
 * Measures uploads and downloads of 256 MB alternately with and without TLS on one vault. The client is curl in a separate
 * process, whose cost is the same for each variant except for its part of TLS.
 */
export async function tls(): Promise<Figure[]> {
  const folder = await scratchFolder();
  const file = `${folder}.bin`;
  await writeFile(file, randomBytes(SIZE));
  const costs = new Map<string, Cost[]>();
  const first = await startServer(folder, { TRASH_DAYS: '0' });
  const client = await Client.register(first.url);
  const id = await client.upload('sent.pdf', SIZE, randomBytes(MB));
  await first.stop();

  async function measure(server: BenchServer, way: Way, counts: boolean): Promise<void> {
    const curl = (...args: string[]) =>
      run('curl', ['-ksS', '--fail', WAYS[way], '-H', `Authorization: Bearer ${client.token}`, ...args], {
        encoding: 'utf8',
      });
    const address = (path: string) => `${server.url}${path}`;
    const addCost = (direction: string, cost: Cost) => {
      if (counts) costs.set(`${direction} ${way}`, [...(costs.get(`${direction} ${way}`) ?? []), cost]);
    };
    const token = await curl('-X', 'POST', address(`/api/documents/${id}/download-token`));
    const { download_url } = JSON.parse(token.stdout) as { download_url: string };
    addCost('out', await cost(server, () => curl('-o', '/dev/null', address(download_url))));
    let uploaded = '';
    addCost(
      'in',
      await cost(server, async () => {
        const upload = address('/api/documents/upload');
        uploaded = (await curl('-H', 'Expect:', '-F', `file=@${file};filename=${way.length}.pdf`, upload))
          .stdout;
      }),
    );
    const { data } = JSON.parse(uploaded) as { data: { id: number } };
    await curl('-X', 'DELETE', address(`/api/documents/${data.id}`));
  }

  try {
    // The first round is a warm-up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const https of [false, true]) {
        const server = await startServer(folder, { TRASH_DAYS: '0', ...(https && { HTTPS: 'auto' }) });
        for (const way of Object.keys(WAYS) as Way[])
          if ((way === 'plain') !== https) await measure(server, way, round > 0);
        await server.stop();
      }
  } finally {
    await Promise.all([rm(folder, { recursive: true }), rm(file)]);
  }
  const of = (direction: string, way: Way, key: keyof Cost) =>
    median(costs.get(`${direction} ${way}`)!.map((cost) => cost[key]));
  return (['out', 'in'] as const).flatMap((direction) =>
    (Object.keys(WAYS) as Way[]).map((way) => {
      const ratio = of(direction, 'plain', 'wall') / of(direction, way, 'wall');
      return {
        name: `256 MB ${direction}, ${way}`,
        value: `${fixed(SIZE / MB / of(direction, way, 'wall'), 0)} MB/s, ${fixed(of(direction, way, 'cpu'), 2)} s server CPU${way === 'plain' ? '' : `, ${fixed(ratio, 2)} × plain`}`,
        ...(way !== 'plain' && { target: { text: 'at least 0.7 × plain', reached: ratio >= 0.7 } }),
      };
    }),
  );
}
