import { pino } from 'pino';
import { readConfig } from '../server/config/config.ts';
import { openDataDir } from '../server/datadir/datadir.ts';
import { compose } from '../server/services.ts';
import { createBuild } from '../server/testing/build.ts';
import { fillFirm, indexFirms } from './firms.ts';
import type { Figure } from './measure.ts';
import { fixed, median, timed } from './measure.ts';
import type { BenchServer } from './server.ts';
import { scratchFolder, startServer } from './server.ts';

const RUNS = 5;
/** The number of files in the vault; `BENCH_MANY=1000000` is the full run. */
const MANY = Number(process.env.BENCH_MANY ?? 0);

/** Adds a firm with so many files, which are indexed by name like uploaded ones. */
async function fill(dataDir: string, files: number): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDir });
  const log = pino({ level: 'silent' });
  const opened = await openDataDir(config, log);
  const services = compose({ ...opened, log, clock: () => new Date(), config });
  const { actor } = await createBuild({ services, blobs: opened.blobs, db: opened.db }).account();
  const { firmId, userId } = actor;
  const size = { clients: 2000, folders: files / 5, files };
  await fillFirm(opened.db, { firmId, userId, base: 1_000_000, size });
  await indexFirms(opened.db, [firmId]);
  await services.stop();
  await opened.close();
}

/** Measures the time from the start command to the first response on an existing data folder, and the memory of an idle server. */
export async function start(): Promise<Figure[]> {
  const folder = await scratchFolder();
  await (await startServer(folder)).stop();
  if (MANY > 0) {
    await fill(folder, MANY);
    // The first start does work that is needed only once.
    await (await startServer(folder)).stop();
  }
  const seconds: number[] = [];
  const processor: number[] = [];
  const memory: number[] = [];
  let server: BenchServer | undefined;
  for (let run = 0; run < RUNS; run += 1) {
    await server?.stop();
    seconds.push(
      await timed(async () => {
        server = await startServer(folder);
      }),
    );
    processor.push(await server!.cpu());
    await new Promise((resolve) => setTimeout(resolve, 1000));
    memory.push((await server!.memory()).now);
  }
  // The server frees memory within 40 s of quiet.
  await new Promise((resolve) => setTimeout(resolve, 45_000));
  const idle = (await server!.memory()).now;
  await server?.remove();
  const of = MANY > 0 ? ` with ${MANY} files` : '';
  return [
    {
      name: `second start to the first answer${of}`,
      value: `${fixed(median(seconds), 2)} s (${fixed(median(processor), 2)} s of processor)`,
      target: { text: 'under 1.5 s', reached: median(seconds) < 1.5 },
    },
    {
      name: `memory a second after the start, and while idle${of}`,
      value: `${fixed(median(memory), 0)} MB, ${fixed(idle, 0)} MB`,
      target: { text: 'at most 120 MB while idle', reached: idle <= 120 },
    },
  ];
}
