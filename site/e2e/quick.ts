import type { CDPSession, Page } from 'puppeteer';
import { pageReady } from '#server/testing/page-ready.ts';

/**
 * Sends input events to the browser without waiting between them. The page interprets them by the time between them (a
 * double tap, a typed word), which on a slow machine would be too long if each waited for the one before.
 */
async function sendTogether(page: Page, send: (devtools: CDPSession) => Promise<unknown>[]): Promise<void> {
  await pageReady(page);
  const devtools = await page.createCDPSession();
  await Promise.all(send(devtools));
  await devtools.detach();
}

/** Types a word fast enough that the type-ahead search of a list takes it as one. */
export const typeWord = (page: Page, word: string): Promise<void> =>
  sendTogether(page, (devtools) =>
    Array.from(word).flatMap((key) => [
      devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key }),
      devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', key }),
    ]),
  );

/** Taps a place on a touch screen; two times are a double tap. */
export const tap = (page: Page, x: number, y: number, times = 1): Promise<void> =>
  sendTogether(page, (devtools) =>
    Array.from({ length: times }).flatMap(() => [
      devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] }),
      devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
    ]),
  );

/** Stops timers of the page that are set for `from` milliseconds or more, so that a toast stays on a slow machine. */
export const holdTimers = (page: Page, from: number) =>
  page.evaluateOnNewDocument((minimum) => {
    const { setTimeout: original } = globalThis;
    const held = (callback: () => void, ms = 0, ...given: unknown[]) =>
      original(callback, ms >= minimum ? 1e9 : ms, ...given);
    Object.assign(globalThis, { setTimeout: held });
  }, from);
