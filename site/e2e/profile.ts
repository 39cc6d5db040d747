import type { Browser, BrowserContext, Page } from 'puppeteer';
import { openTab } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';

/** A browser profile that the tests of a suite use one after another. */
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

/**
 * Opens a profile whose renderer process outlives its pages. Starting a process and compiling the scripts of the site
 * again takes a third of a short test.
 */
export async function openProfile(browser: Browser): Promise<Profile> {
  const context = await browser.createBrowserContext();
  // The process belongs to the site, which is the host without the port: a page of it must stay open.
  let placeholder: Page | undefined;
  return {
    context,
    async openPage(url) {
      if (!placeholder) {
        placeholder = await context.newPage();
        await placeholder.goto(`${url}/robots.txt`);
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
