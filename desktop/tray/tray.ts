import { getAsset, isSea } from 'node:sea';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Engine } from '#desktop/engine.ts';
import { windowsFfi } from '#desktop/system/ffi.ts';
import { WIDTHS, iconFile } from './icons.ts';
import type { ThreadData, ThreadMessage } from './thread-messages.ts';
import { WM } from './thread-messages.ts';
import type { Mark } from './picture.ts';
import { MARKS, trayStateOf } from './picture.ts';
import { user32 } from './user32.ts';

/** Ms between two updates of the icon, and ms to wait for its removal. */
const [UPDATE_MS, REMOVAL_MS] = [500, 2000];

/** The actions of the menu. */
interface TrayActions {
  open(): void;
  pause(paused: boolean): void;
  quit(): void;
}

/** Shows the notification icon where the system has one and the program is a single executable. */
export function openTray(engine: Engine, actions: TrayActions): void {
  const ffi = windowsFfi();
  if (!ffi || !isSea()) return;
  const { PostMessageW } = user32(ffi);
  let window: bigint | undefined;
  let shown = trayStateOf(engine);
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const begun: ThreadData = { picture: shown, icons: icons(), ended };
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
    const now = trayStateOf(engine);
    if (isDeepStrictEqual(now, shown)) return;
    shown = now;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(now);
    wake(WM.SHOW);
  }
  const forget = engine.onChange(() => (drawing ??= setTimeout(draw, UPDATE_MS).unref()));
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind === 'window') {
      window = message.window;
      // Send what changed before the window existed.
      return void wake(WM.SHOW);
    }
    if (message.kind === 'failed') return engine.log.add('note', `The icon beside the clock: ${message.why}`);
    if (message.what === 'open') actions.open();
    else if (message.what === 'quit') actions.quit();
    else {
      actions.pause(message.what === 'pause');
      // Update the menu now, so that it offers the opposite command.
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
  // The thread blocks in Windows and only ends by a window message; the process would wait for it.
  process.once('exit', () => {
    if (wake(WM.CLOSE)) Atomics.wait(ended, 0, 0, REMOVAL_MS);
  });
}

const icons = () =>
  Object.fromEntries(
    MARKS.map((mark) => [
      mark,
      Object.fromEntries(WIDTHS.map((width) => [width, new Uint8Array(getAsset(iconFile(mark, width)))])),
    ]),
  ) as Record<Mark, Record<number, Uint8Array>>;
