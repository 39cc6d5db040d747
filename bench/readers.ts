import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Outcome } from '../server/sandbox/serve-requests.ts';
import { confinement } from '../server/sandbox/confinement.ts';
import { createFrameDecoder, encodeFrame } from '../server/sandbox/frames.ts';
import { createSandbox } from '../server/sandbox/sandbox.ts';
import { ledger, pdf, photo } from '../server/tools/samples.ts';
import type { Figure } from './measure.ts';
import { fixed, median, timed } from './measure.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const PREVIEWS = '../server/previews/';

interface PreviewCase {
  name: string;
  module: URL;
  order: object;
}

async function files(): Promise<PreviewCase[]> {
  const maker = new URL(`${PREVIEWS}maker.ts`, import.meta.url);
  const reader = new URL(`${PREVIEWS}reader.ts`, import.meta.url);
  const jpeg = await sharp(photo()).resize(3000).jpeg().toBuffer();
  const picture = { page: 1, side: 400 };
  return [
    { name: 'picture', module: maker, order: { bytes: jpeg, fileType: 'jpg', ...picture } },
    {
      name: 'PDF page',
      module: maker,
      order: { bytes: pdf([['Computation of income']]), fileType: 'pdf', ...picture, side: 2600 },
    },
    { name: 'table', module: reader, order: { bytes: Buffer.from(ledger(2025)), fileType: 'csv' } },
  ];
}

/** The same process without the sandbox: started for one request and ended. */
function unconfined({ module, order }: PreviewCase): Promise<void> {
  const child = spawn(process.execPath, ['--no-warnings', fileURLToPath(module)], {
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  const answers = createFrameDecoder({ text: Infinity, all: Infinity });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdio[3]!.on('data', (piece: Buffer) => {
      for (const answer of answers.decode(piece)) {
        child.kill('SIGKILL');
        const { fault } = answer as { fault?: string };
        if (fault) reject(new Error(fault));
        else resolve();
      }
    });
    for (const piece of encodeFrame(order)) child.stdin!.write(piece);
  });
}

const throwFault = (outcome: Outcome<object>): void => {
  if ('fault' in outcome) throw new Error(outcome.fault);
};

/** Measures the cost of the sandbox for the first preview, alternately with and without it. BENCH_ROUNDS is the number of rounds. */
export async function sandboxCost(): Promise<Figure[]> {
  const level = await confinement();
  const { signal } = new AbortController();
  const figures: Figure[] = [];
  for (const preview of await files()) {
    const sandbox = createSandbox<object, object>(preview.module);
    const times = {
      bare: [] as number[],
      first: [] as number[],
      next: [] as number[],
      again: [] as number[],
    };
    const make = (owner: string) => async () => throwFault(await sandbox.run(preview.order, owner, signal));
    for (let round = 0; round < ROUNDS; round += 1) {
      times.bare.push(await timed(() => unconfined(preview)));
      times.first.push(await timed(make('1 1')));
      times.again.push(await timed(make('1 1')));
      times.next.push(await timed(make('1 2')));
      sandbox.stop();
    }
    const ms = (kind: keyof typeof times) => `${fixed(median(times[kind]) * 1000, 0)} ms`;
    const ratio = median(times.first) / median(times.bare);
    figures.push(
      {
        name: `first ${preview.name}, held (${level}) against not held`,
        value: `${ms('first')} against ${ms('bare')}, ${fixed(ratio, 2)} ×`,
        target: { text: 'at most 1.25 ×', reached: ratio <= 1.25 },
      },
      {
        name: `${preview.name} of the next client, and of the same again`,
        value: `${ms('next')}, ${ms('again')}`,
      },
    );
  }
  return figures;
}
