import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Browser, BrowserContext } from 'puppeteer';
import type { Callback, Test } from 'uvu';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WatchedPage } from '#server/testing/browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const PICTURES = join(ROOT, 'coverage/failures');

interface Context {
  browser: Browser;
  page: WatchedPage;
}

/** All open pages, of all browser contexts. */
const pagesOf = async ({ browser }: Context): Promise<WatchedPage[]> =>
  (await browser.pages()).filter((page) => 'faults' in page) as WatchedPage[];

const fileName = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80);

async function saveScreenshots(context: Context, title: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  for (const [index, page] of (await pagesOf(context)).entries()) {
    const path = join(PICTURES, `${fileName(title)}-${index + 1}.png`) as `${string}.png`;
    await page.screenshot({ path });
    process.stdout.write(`\n    ${page.url()} is in ${relative(ROOT, path)}\n`);
  }
}

/**
 * A suite whose tests also fail when the console of one of their pages has an error that `page.expected` does not name.
 * Screenshots of the pages of a failed test are saved in `coverage/failures`.
 */
export function watchedSuite<T extends Context>(title: string): Test<T> {
  const test = suite<T>(title);
  // Checked in the test and not in `after.each`, which uvu runs again when it throws.
  const watched =
    (name: string, handler: Callback<T>): Callback<T> =>
    async (context) => {
      try {
        await handler(context);
        for (const { faults, expected } of await pagesOf(context)) {
          const unexpected = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
          assert.equal(unexpected, [], 'the console of the page has no errors');
        }
      } catch (error) {
        await saveScreenshots(context, `${title} ${name}`).catch(() => undefined);
        throw error;
      }
    };
  const add = (name: string, handler: Callback<T>) => test(name, watched(name, handler));
  return Object.assign(add, {
    only: (name: string, handler: Callback<T>) => test.only(name, watched(name, handler)),
    skip: test.skip,
    before: test.before,
    after: test.after,
    run: test.run,
  });
}

/**
 * Closes the pages once their calls are answered, except the event stream: open calls would query a closed database.
 * @param keptProfile the profile that stays open; those of other pages are closed.
 */
export async function closePages(context: Context, keptProfile?: BrowserContext): Promise<void> {
  for (const page of await pagesOf(context)) {
    // Closed already, together with another page of its context.
    if (page.isClosed()) continue;
    await page.waitForNetworkIdle({ idleTime: 150, timeout: 3000, concurrency: 1 }).catch(() => undefined);
    const profile = page.browserContext();
    await (profile === keptProfile ? page : profile).close();
  }
}
