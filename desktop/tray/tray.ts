import { getAsset, isSea } from 'node:sea';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Engine } from '#desktop/engine.ts';
import { windowsFfi } from '#desktop/system/ffi.ts';
import { WIDTHS, iconFile } from './icons.ts';
import type { Begun, Told } from './messages.ts';
import { WM } from './messages.ts';
import type { Mark } from './picture.ts';
import { MARKS, pictureOf } from './picture.ts';
import { user32 } from './user32.ts';

/** Milliseconds between two pictures, and until an icon that is to go has gone. */
const [PICTURE_MS, ENDING_MS] = [500, 2000];

/** What the menu does. */
export interface Acts {
  open(): void;
  pause(paused: boolean): void;
  quit(): void;
}

/** Shows the icon beside the clock, where the system has one and the program is a file of its own. */
export function openTray(engine: Engine, acts: Acts): void {
  const ffi = windowsFfi();
  if (!ffi || !isSea()) return;
  const { PostMessageW } = user32(ffi);
  let window: bigint | undefined;
  let shown = pictureOf(engine);
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const begun: Begun = { picture: shown, icons: icons(), ended };
  const thread = new Worker(getAsset('tray.js', 'utf8'), {
    eval: true,
    workerData: begun,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  thread.unref();
  const wake = (message: number) => window !== undefined && PostMessageW(window, message, 0n, 0n);

  let drawing: NodeJS.Timeout | undefined;
  function draw(): void {
    clearTimeout(drawing);
    drawing = undefined;
    const now = pictureOf(engine);
    if (isDeepStrictEqual(now, shown)) return;
    shown = now;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(now);
    wake(WM.SHOW);
  }
  const forget = engine.onChange(() => (drawing ??= setTimeout(draw, PICTURE_MS).unref()));
  thread.on('message', (told: Told) => {
    if (told.kind === 'window') {
      window = told.window;
      // What came before there was a window to wake.
      return void wake(WM.SHOW);
    }
    if (told.kind === 'failed') return engine.log.add('note', `The icon beside the clock: ${told.why}`);
    if (told.what === 'open') acts.open();
    else if (told.what === 'quit') acts.quit();
    else {
      acts.pause(told.what === 'pause');
      // Whoever opens the menu again right away reads "Resume".
      draw();
    }
  });
  thread.on('error', (error) =>
    engine.log.add('note', `There is no icon beside the clock: ${error.message}`),
  );
  thread.on('exit', () => {
    window = undefined;
    forget();
    clearTimeout(drawing);
  });
  // A thread that sleeps in Windows is ended by Windows alone; the end of the program would wait for it.
  process.once('exit', () => {
    if (wake(WM.CLOSE)) Atomics.wait(ended, 0, 0, ENDING_MS);
  });
}

const icons = () =>
  Object.fromEntries(
    MARKS.map((mark) => [
      mark,
      Object.fromEntries(WIDTHS.map((width) => [width, new Uint8Array(getAsset(iconFile(mark, width)))])),
    ]),
  ) as Record<Mark, Record<number, Uint8Array>>;
