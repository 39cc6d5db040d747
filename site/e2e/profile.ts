import type { Browser, BrowserContext, Page } from 'puppeteer';
import { openTab, SMALL_PAGE } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';

/** A browser profile that tests use one after another. */
export interface Profile {
  context: BrowserContext;
  /** Opens a page, to be loaded from `url`. */
  openPage(url: string): Promise<WatchedPage>;
  /**
   * Removes all that the pages of `url` stored. The pages must be closed. What the browser may use again without a question stays:
   * files and logos whose address has a hash of their content.
   */
  clear(url: string): Promise<void>;
}

const profiles = new WeakMap<Browser, Profile>();

/**
 * The browser's profile whose renderer process outlives its pages, and the files that share the browser. Starting a process and
 * compiling the scripts of the site again takes a third of a short test.
 */
export function keptProfile(browser: Browser): Profile {
  const known = profiles.get(browser);
  if (known) return known;
  const opened = openProfile(browser);
  profiles.set(browser, opened);
  return opened;
}

function openProfile(browser: Browser): Profile {
  // The one that closing a shared browser leaves open.
  const context = browser.defaultBrowserContext();
  // The process belongs to the site, which is the host without the port: a page of it must stay open.
  let placeholder: Page | undefined;
  return {
    context,
    async openPage(url) {
      if (!placeholder) {
        placeholder = await context.newPage();
        await placeholder.goto(url + SMALL_PAGE);
      }
      return openTab(context);
    },
    async clear(url) {
      await context.deleteCookie(...(await context.cookies()));
      await context.clearPermissionOverrides();
      const devtools = await placeholder!.createCDPSession();
      await devtools.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'all' });
      await devtools.detach();
    },
  };
}
