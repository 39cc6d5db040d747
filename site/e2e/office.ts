import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'puppeteer';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { TIMEOUT_MS, builtSite, openBrowser } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';
import type { Site } from '#server/serving/serve.ts';
import { PASSWORD } from '#server/testing/build.ts';
import type { World, WorldOptions } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { keptProfile } from './profile.ts';
import type { Profile } from './profile.ts';
import { closePages, watchedSuite } from './watched.ts';

/** A server with an office of its own for one test, the account of Asha, and a browser. */
export interface Office {
  browser: Browser;
  world: World;
  url: string;
  page: WatchedPage;
  asha: Awaited<ReturnType<World['build']['account']>>;
}

export const ASHA = { email: 'asha@rao.in', password: PASSWORD };

/** All servers of a process have the same port, since scripts are compiled again for another address. */
let port = 0;

/** A suite whose tests share a browser and get an office each; `watchedSuite` says which console errors fail a test. */
export function officeSuite<Own extends object = object>(
  title: string,
  {
    site = builtSite,
    ...options
  }: Pick<WorldOptions, 'abuseLimits' | 'reading' | 'registration' | 'scans' | 'trashDays'> & {
    site?: () => Promise<Site>;
  } = {},
): Test<Office & Own> {
  const test = watchedSuite<Office & Own>(title);
  let profile: Profile;
  test.before(async (office) => {
    office.browser = await openBrowser();
    profile = keptProfile(office.browser);
  });
  test.before.each(async (office) => {
    office.world = await freshWorld({ abuseLimits: false, ...options });
    office.asha = await office.world.build.account({ email: ASHA.email });
    const served = await site();
    // Another process may have taken the port since the last test.
    office.url = await office.world
      .serve({ site: served, port })
      .catch(() => office.world.serve({ site: served }));
    port = Number(new URL(office.url).port);
    office.page = await profile.openPage(office.url);
  });
  test.after.each(async (office) => {
    await closePages(office, profile.context);
    await profile.clear(office.url);
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

/** Waits until the page, or the page to which it navigates meanwhile, contains the text. */
export async function waitForText(page: Page, text: string): Promise<void> {
  let pageText = '';
  // Polled from here, since a wait inside the page is lost when the page navigates.
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await wait(100)) {
    pageText = await page.evaluate(() => document.body.innerText).catch(() => '');
    if (pageText.includes(text)) return;
  }
  throw new Error(`"${text}" was not seen at ${page.url()}, which says: ${pageText.slice(0, 500)}`);
}

/** Clicks a button or link of a page without script, which closed details may hide, and waits for the page that it leads to. */
export const submitWith = (page: Page, selector: string) =>
  Promise.all([
    page.waitForNavigation(),
    page.$eval(selector, (element) => (element as HTMLElement).click()),
  ]);

/** Waits until `read` gives the wanted value, since a screen shows a change only a little later. */
export async function waitForValue<Value>(
  read: () => Value | Promise<Value>,
  wanted: Value,
  message?: string,
): Promise<void> {
  let value = await read();
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await wait(50)) {
    if (isDeepStrictEqual(value, wanted)) break;
    value = await read();
  }
  assert.equal(value, wanted, message);
}

/**
 * Replaces the text of a field by typing. A locator's `fill` empties the field without an event that React sees first,
 * and React restores the old text if it renders before the first letter.
 */
export async function replaceText(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).click({ count: 3 });
  await page.keyboard.type(text);
}

/** Scrolls a list to its end, again whenever it grows, until the element is drawn. */
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

/** The name of the focused field, or the text of the focused control. */
export const focusedControl = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    return element?.name || element?.textContent?.trim() || '';
  });
