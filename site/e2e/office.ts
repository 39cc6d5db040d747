import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'puppeteer';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { TIMEOUT_MS, builtSite, openBrowser, openPage } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';
import type { Site } from '#server/serving/serve.ts';
import { PASSWORD } from '#server/testing/build.ts';
import type { World, WorldOptions } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { closePages, watchedSuite } from './watched.ts';

/** A served office of its own for one test, with Asha in it, and a browser to visit it with. */
export interface Office {
  browser: Browser;
  world: World;
  url: string;
  page: WatchedPage;
  asha: Awaited<ReturnType<World['build']['account']>>;
}

export const ASHA = { email: 'asha@rao.in', password: PASSWORD };

/** A suite whose tests get an office each and share a browser; see `watchedSuite` for what fails a test by itself. */
export function officeSuite<Own extends object = object>(
  title: string,
  {
    site = builtSite,
    ...options
  }: Pick<WorldOptions, 'abuseLimits' | 'reading' | 'scans' | 'trashDays'> & {
    site?: () => Promise<Site>;
  } = {},
): Test<Office & Own> {
  const test = watchedSuite<Office & Own>(title);
  test.before(async (office) => {
    office.browser = await openBrowser();
  });
  test.before.each(async (office) => {
    office.world = await freshWorld({ abuseLimits: false, ...options });
    office.asha = await office.world.build.account({ email: ASHA.email });
    office.url = await office.world.serve({ site: await site() });
    office.page = await openPage(office.browser);
  });
  test.after.each(async (office) => {
    await closePages(office);
    await office.world.close();
  });
  test.after(async (office) => {
    await office.browser.close();
  });
  return test;
}

/** The text of the first element that matches, once there is one. */
export async function textOf(page: Page, selector: string): Promise<string> {
  const element = await page.waitForSelector(selector);
  return (await element?.evaluate((node) => node.textContent))?.trim() ?? '';
}

/** Waits until this text stands somewhere on the page, or on the one that it moves to meanwhile. */
export async function waitForText(page: Page, text: string): Promise<void> {
  let said = '';
  // Asked from here: a wait inside the page can be lost when the page is left.
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await wait(100)) {
    said = await page.evaluate(() => document.body.innerText).catch(() => '');
    if (said.includes(text)) return;
  }
  throw new Error(`"${text}" was not seen at ${page.url()}, which says: ${said.slice(0, 500)}`);
}

/** Waits until what is read is this: a screen follows what was done to it in its own time. */
export async function waitForValue<Value>(
  read: () => Value | Promise<Value>,
  wanted: Value,
  message?: string,
): Promise<void> {
  let found = await read();
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await wait(50)) {
    if (isDeepStrictEqual(found, wanted)) break;
    found = await read();
  }
  assert.equal(found, wanted, message);
}

/**
 * Types this in place of what stands in a field. A locator's `fill` empties the field behind the page's back first: what
 * is drawn between that and the first letter puts back what stood there.
 */
export async function replaceText(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).click({ count: 3 });
  await page.keyboard.type(text);
}

/** Scrolls a list to its end, again as it grows, until the element is drawn. */
export const scrollTo = (page: Page, selector: string) =>
  page.waitForFunction(
    (wanted) => {
      const scroller = document.querySelector('[data-scroller]')!;
      scroller.scrollTop = scroller.scrollHeight;
      return document.querySelector(wanted) !== null;
    },
    { polling: 50 },
    selector,
  );

export const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

/** The name of the field, or the text of the control, that the keyboard is on. */
export const focusedControl = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    return element?.name || element?.textContent?.trim() || '';
  });
