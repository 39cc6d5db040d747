import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import * as assert from 'uvu/assert';
import { WrongPassphrase } from '#server/datadir/keys/passphrase.ts';
import { createUnlockServer } from '#server/serving/unlock.ts';
import { openBrowser, openPage } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { replaceText, textOf } from './office.ts';
import { watchedSuite } from './watched.ts';

const test = watchedSuite<{ browser: Awaited<ReturnType<typeof openBrowser>>; page: WatchedPage }>(
  'the page that unlocks a vault',
);
test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(async ({ browser }) => {
  await browser.close();
});

test('a passphrase typed in a browser is tried, since what a browser says of its own page is not what a program does', async (context) => {
  const page = (context.page = await openPage(context.browser));
  page.expected.push(/status of 403/);
  let now = 0;
  const { server, opened } = createUnlockServer({
    appName: 'Almirah',
    baseUrl: 'https://vault.example.in',
    now: () => now,
    log: pino({ level: 'silent' }),
    open: async (passphrase) => {
      if (passphrase !== 'several words') throw new WrongPassphrase('This is not the passphrase.');
      return 'open';
    },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  assert.equal(await violations(page), []);
  await page.keyboard.type('several wrods');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.is(await textOf(page, '[role=alert]'), 'This is not the passphrase.');
  // After a wrong one, the next is tried two seconds later.
  now += 2000;
  await replaceText(page, 'input', 'several words');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.is(await textOf(page, 'h1'), 'The vault is unlocked');
  assert.is(await opened, 'open');
  server.close();
});

test.run();
