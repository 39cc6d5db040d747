import type { CDPSession, Page } from 'puppeteer';
import { pageReady } from '#server/testing/page-ready.ts';

/**
 * Gives the browser all of these at once. The page tells by the time between them what is meant, and on a slow machine
 * it would be long if each waited for the one before.
 */
async function sendTogether(page: Page, send: (devtools: CDPSession) => Promise<unknown>[]): Promise<void> {
  await pageReady(page);
  const devtools = await page.createCDPSession();
  await Promise.all(send(devtools));
  await devtools.detach();
}

/** Types letters of which none begins a new word. */
export const typeWord = (page: Page, word: string): Promise<void> =>
  sendTogether(page, (devtools) =>
    Array.from(word).flatMap((key) => [
      devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key }),
      devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', key }),
    ]),
  );

/** Touches a place with a finger that does not stay; two times are a double tap. */
export const tap = (page: Page, x: number, y: number, times = 1): Promise<void> =>
  sendTogether(page, (devtools) =>
    Array.from({ length: times }).flatMap(() => [
      devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] }),
      devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
    ]),
  );

/** What the page leaves alone for so many milliseconds or more is never over, however slow the machine is. */
export const holdTimers = (page: Page, from: number) =>
  page.evaluateOnNewDocument((least) => {
    const { setTimeout: begin } = globalThis;
    const hold = (then: () => void, ms = 0) => begin(then, ms >= least ? 1e9 : ms);
    Object.assign(globalThis, { setTimeout: hold });
  }, from);
