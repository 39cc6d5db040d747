import { dirname } from 'node:path';
import { openBrowser, openPage, signIn } from '../server/testing/browser.ts';
import type { Client } from './client.ts';
import { timed } from './measure.ts';

/** A Chromium, signed in as the user of the client, that uploads one file after another in the drive. */
export async function browserUploads(url: string, client: Client) {
  const browser = await openBrowser();
  const page = await openPage(browser, { immediate: true });
  await signIn(page, url, client);
  return {
    /** @returns seconds from *Start Upload* until the file is in the list. */
    async upload(path: string): Promise<number> {
      const name = path.slice(dirname(path).length + 1);
      await page.locator('main').click();
      await page.keyboard.down('Control');
      await page.keyboard.press('u');
      await page.keyboard.up('Control');
      const input = await page.waitForSelector('[role=dialog] input[type=file]');
      await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(path);
      await page.waitForSelector('[aria-label="Chosen files"] li');
      const start = await page.waitForSelector('[role=dialog] ::-p-text(Start Upload)');
      return timed(async () => {
        await start!.click();
        await page.waitForSelector(`[data-id][aria-label="${name}"]`, { timeout: 300_000 });
      });
    },
    close: () => browser.close(),
  };
}
