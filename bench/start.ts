import type { Figure } from './measure.ts';
import { fixed, median, timed } from './measure.ts';
import type { BenchServer } from './server.ts';
import { scratchFolder, startServer } from './server.ts';

const RUNS = 5;

/** From the command to the first answer on a data folder that exists, and the memory of a server that does nothing. */
export async function starting(): Promise<Figure[]> {
  const folder = await scratchFolder();
  await (await startServer(folder)).stop();
  const seconds: number[] = [];
  const memory: number[] = [];
  let server: BenchServer | undefined;
  for (let run = 0; run < RUNS; run += 1) {
    await server?.stop();
    seconds.push(
      await timed(async () => {
        server = await startServer(folder);
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
    memory.push((await server!.memory()).now);
  }
  await server?.remove();
  return [
    {
      name: 'second start to the first answer',
      value: `${fixed(median(seconds), 2)} s`,
      target: { text: 'under 1.5 s', reached: median(seconds) < 1.5 },
    },
    {
      name: 'memory while idle',
      value: `${fixed(median(memory), 0)} MB`,
      target: { text: 'at most 120 MB', reached: median(memory) <= 120 },
    },
  ];
}
