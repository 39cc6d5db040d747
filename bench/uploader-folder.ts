import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { fixed, median, percentile, timed } from './measure.ts';
import type { BenchServer } from './server.ts';
import { openProgram, pause } from './uploader-program.ts';

const SCANS = 10;
/** Eight pages, as a scanner writes them. */
const [PAGES, PAGE_BYTES, PAGE_MS] = [8, 300 * 1024, 400];
const MANY = 100_000;

/** Measures the time from the last byte that a slow scanner writes into the watched folder until the client has the document. */
export async function scans(server: BenchServer, client: Client): Promise<Figure> {
  // With the default setting: a file is complete after two seconds without a change.
  const program = await openProgram(server, client, []);
  try {
    await program.start();
    const { data } = await client.call<{ data: { id: number } }>('POST', '/api/clients', {
      name: 'Sharma Traders',
      client_type: 'Individual',
    });
    await program.pair({ client_id: data.id });
    const waits: number[] = [];
    for (let scan = 0; scan < SCANS; scan += 1) {
      const path = join(program.watched, `scan ${scan}.pdf`);
      for (let page = 0; page < PAGES; page += 1) {
        await appendFile(path, randomBytes(PAGE_BYTES));
        if (page < PAGES - 1) await pause(PAGE_MS);
      }
      waits.push(await timed(() => program.until('done', scan + 1)));
      const { data: item } = await client.call<{ data: { client_id: number; file_size: number } }>(
        'GET',
        `/api/documents/${program.ids().at(-1)}`,
      );
      if (item.client_id !== data.id || item.file_size !== PAGES * PAGE_BYTES)
        throw new Error('The scan is not whole in the folder of its client.');
    }
    const worst = Math.max(...waits);
    return {
      name: `a scan of ${PAGES} pages, written slowly, in its client's folder after its last byte`,
      value: `${fixed(median(waits))} s, at most ${fixed(worst)} s`,
      target: { text: 'at most 10 s', reached: worst <= 10 },
    };
  } finally {
    await program.remove();
  }
}

/** Measures the time and memory of the uploader for many files put into the folder together, and whether its window responds meanwhile. */
export async function many(server: BenchServer, client: Client): Promise<Figure[]> {
  const program = await openProgram(server, client, []);
  try {
    await program.start();
    await program.pair();
    await program.pause(true);
    const answers: number[] = [];
    let adding = true;
    const polling = (async () => {
      // oxlint-disable-next-line no-unmodified-loop-condition -- the work below ends it
      while (adding) {
        answers.push(await timed(() => program.state()));
        await pause(200);
      }
    })();
    for (let folder = 0; folder < MANY / 1000; folder += 1) {
      const path = join(program.watched, `Client ${folder}`);
      await mkdir(path);
      for (let index = 0; index < 1000; index += 1)
        await writeFile(join(path, `${index}.pdf`), `${folder} ${index}`);
    }
    const seconds = await timed(() => program.until('waiting', MANY));
    await program.pause(false);
    await program.until('done', 500);
    adding = false;
    await polling;
    const { peak } = await program.megabytes();
    const slowest = Math.max(...answers);
    return [
      {
        name: `${MANY} files laid into the folder: waiting to be sent after`,
        value: `${fixed(seconds, 0)} s`,
      },
      {
        name: 'the most memory of the uploader meanwhile',
        value: `${fixed(peak, 0)} MB`,
        target: { text: 'at most 250 MB', reached: peak <= 250 },
      },
      {
        name: 'its window answers meanwhile, 95th percentile and slowest',
        value: `${fixed(percentile(answers, 95) * 1000, 0)} ms, ${fixed(slowest * 1000, 0)} ms`,
        target: { text: 'at most 1 s', reached: slowest <= 1 },
      },
    ];
  } finally {
    await program.remove();
  }
}
