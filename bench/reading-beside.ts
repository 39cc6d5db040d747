import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { pdf } from '../server/tools/samples.ts';
import { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { fixed, median, percentile, timed } from './measure.ts';
import { scratchFolder, startServer } from './server.ts';
import { textOf, vocabulary } from './texts.ts';

const PAGES = Number(process.env.BENCH_PAGES ?? 10_000);
const PAGES_OF_ONE = 40;
/** Turns with and without reading, which alternate, so that other load on the machine affects both. */
const TURNS = 16;
/** The number of calls of each kind in one turn. */
const CALLS = 24;
/** Milliseconds after which a file that was being read is finished. */
const SETTLED = 2500;
const MAX_RATIO = 1.2;

const QUESTIONS = ['upload', 'list', 'search'] as const;
type Question = (typeof QUESTIONS)[number];
type Times = Record<Question, number[]>;

/** Measures uploads, lists and searches while pages are being read, compared with paused reading. BENCH_PAGES is the number of pages. */
export async function readingLoad(): Promise<Figure[]> {
  const server = await startServer(await scratchFolder(), { TRASH_DAYS: '0', READING_SCANS: 'off' });
  try {
    const client = await Client.register(server.url);
    const setPaused = (paused: boolean) => client.call('POST', '/api/reading/pause', { paused });
    await setPaused(true);
    const files = Math.ceil(PAGES / PAGES_OF_ONE);
    for (let n = 0; n < files; n += 1) {
      const from = n * PAGES_OF_ONE;
      const content = pdf(
        Array.from({ length: PAGES_OF_ONE }, (_, index) => textOf(from + index).split('\n')),
      );
      await client.upload(`papers ${n}.pdf`, content.length, content);
    }
    const block = randomBytes(50 * 1024);
    let count = 0;
    const ask: Record<Question, () => Promise<unknown>> = {
      upload: () => client.upload(`photo ${(count += 1)}.zip`, block.length, block),
      list: () => client.call('GET', '/api/documents?limit=100'),
      search: () => client.call('GET', `/api/documents/search?query=${vocabulary[(count * 37) % 400]}`),
    };
    for (const question of QUESTIONS) for (let n = 0; n < CALLS; n += 1) await ask[question]();

    const times = { idle: none(), reading: none() };
    const processor = { idle: 0, reading: 0 };
    const filesRead = async () =>
      (await client.call<{ data: { read: number } }>('GET', '/api/reading')).data.read;
    let read = 0;
    for (let n = 0; n < TURNS * 2; n += 1) {
      const isReading = n % 2 === 1;
      await setPaused(!isReading);
      await wait(SETTLED);
      const before = await filesRead();
      const kind = isReading ? 'reading' : 'idle';
      const used = await server.cpu();
      for (let call = 0; call < CALLS; call += 1)
        for (const question of QUESTIONS) times[kind][question].push((await timed(ask[question])) * 1000);
      processor[kind] += (await server.cpu()) - used;
      if (isReading) read += (await filesRead()) - before;
    }
    return [
      ...QUESTIONS.map((question): Figure => {
        const [idle, busy] = [times.idle[question], times.reading[question]];
        const share = percentile(busy, 95) / percentile(idle, 95);
        return {
          name: `${question} while pages are read, beside an idle server: p50, p95`,
          value: `${fixed(median(busy))}, ${fixed(percentile(busy, 95))} ms beside ${fixed(median(idle))}, ${fixed(percentile(idle, 95))} ms: ${fixed(median(busy) / median(idle), 2)} ×, ${fixed(share, 2)} ×`,
          target: { text: `p95 at most ${MAX_RATIO} ×`, reached: share <= MAX_RATIO },
        };
      }),
      {
        name: 'processor of the server for a round of the three while pages are read, beside idle',
        value: `${fixed((processor.reading * 1000) / (TURNS * CALLS))} ms beside ${fixed((processor.idle * 1000) / (TURNS * CALLS))} ms; ${read * PAGES_OF_ONE} pages were read meanwhile`,
      },
    ];
  } finally {
    await server.remove();
  }
}

const none = (): Times => ({ upload: [], list: [], search: [] });
