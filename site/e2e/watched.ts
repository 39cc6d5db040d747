import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Browser } from 'puppeteer';
import type { Callback, Test } from 'uvu';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WatchedPage } from '#server/testing/browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const PICTURES = join(ROOT, 'coverage/failures');

interface Visit {
  browser: Browser;
  page: WatchedPage;
}

/** Every page that is open, in whichever profile. */
const pagesOf = async ({ browser }: Visit): Promise<WatchedPage[]> =>
  (await browser.pages()).filter((page) => 'faults' in page) as WatchedPage[];

const fileName = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80);

async function saveScreenshots(visit: Visit, title: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  for (const [index, page] of (await pagesOf(visit)).entries()) {
    const path = join(PICTURES, `${fileName(title)}-${index + 1}.png`) as `${string}.png`;
    await page.screenshot({ path });
    process.stdout.write(`\n    ${page.url()} looked so: ${relative(ROOT, path)}\n`);
  }
}

/**
 * A suite each of whose tests fails, beside by what it asserts, by an error in the console of a page that it opened and
 * did not name in `page.expected`. What the pages of a test that failed looked like is kept in `coverage/failures`.
 */
export function watchedSuite<T extends Visit>(title: string): Test<T> {
  const test = suite<T>(title);
  // Within the test and not in `after.each`, which uvu runs again when it throws.
  const watched =
    (name: string, handler: Callback<T>): Callback<T> =>
    async (visit) => {
      try {
        await handler(visit);
        for (const { faults, expected } of await pagesOf(visit)) {
          const unexpected = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
          assert.equal(unexpected, [], 'the console of the page has no errors');
        }
      } catch (error) {
        await saveScreenshots(visit, `${title} ${name}`).catch(() => undefined);
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

/** Closes what the test opened, once calls under way are over, beside the stream of events: they would look for a closed database. */
export async function closePages(visit: Visit): Promise<void> {
  for (const page of await pagesOf(visit)) {
    // With another one of its profile.
    if (page.isClosed()) continue;
    await page.waitForNetworkIdle({ idleTime: 150, timeout: 3000, concurrency: 1 }).catch(() => undefined);
    await page.browserContext().close();
  }
}
