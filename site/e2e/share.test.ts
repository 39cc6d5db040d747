import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { PASSWORD } from '#server/testing/build.ts';
import { HYDRATED, SMALL_PAGE, load, signIn } from '#server/testing/browser.ts';
import { until } from '#server/testing/until.ts';
import { violations } from './axe.ts';
import { ASHA, waitForValue, officeSuite, waitForText } from './office.ts';

const test = officeSuite('files that another app shares');

/** Posts files as the system does when an app shares them; resolves when the next page is hydrated. */
async function share(page: Page, ...names: string[]): Promise<void> {
  await Promise.all([
    page.waitForNavigation(),
    page.evaluate((fileNames) => {
      const form = document.createElement('form');
      Object.assign(form, { action: '/share', method: 'post', enctype: 'multipart/form-data' });
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'files' });
      const chosen = new DataTransfer();
      for (const name of fileNames)
        chosen.items.add(new File([name], name, { type: 'application/pdf', lastModified: 0 }));
      input.files = chosen.files;
      form.append(input);
      document.body.append(form);
      form.submit();
    }, names),
  ]);
  await page.waitForFunction(HYDRATED);
}

/** Opens the page of shared files, which registers the service worker. */
async function openSharePage(page: Page, url: string): Promise<void> {
  await signIn(page, url, ASHA, '/share');
  await waitForText(page, 'No files are waiting');
  await page.waitForFunction(async () =>
    Boolean((await navigator.serviceWorker.getRegistration('/share'))?.active),
  );
}

const signOut = async (page: Page) => {
  await page.locator('.user-button').click();
  await page.locator('[role=menuitem] ::-p-text(Logout)').click();
  await page.locator('[role=alertdialog] button:last-of-type').click();
  await until(() => new URL(page.url()).pathname === '/login');
};

const storedFiles = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const request = indexedDB.open('almirah-shared');
        request.addEventListener('success', () => {
          const all = request.result.transaction('files').objectStore('files').getAll();
          all.addEventListener('success', () => {
            request.result.close();
            resolve(all.result.map(({ file }) => file.name));
          });
        });
      }),
  );

test('shared files wait in the browser without a network, are uploaded once for their client from any screen, and are removed at sign-out', async ({
  page,
  url,
  world,
  asha,
}) => {
  const client = await world.build.client(asha.actor, 'Sharma Traders');
  await openSharePage(page, url);
  await share(page, 'Bill.pdf', 'Setup.exe');
  await waitForText(page, 'File type "exe" is not supported');
  assert.equal(await violations(page), []);
  await page.locator('main input').fill('Sharma');
  await page.locator('[role=option]').click();
  await page.setOfflineMode(true);
  await page.locator('main ::-p-text(Upload 1 file)').click();
  await waitForText(page, 'The files could not be sent now');
  await page.setOfflineMode(false);
  await load(page, `${url}/history`);
  await until(async () => (await storedFiles(page)).length === 1);
  assert.equal(await world.db('items').select('name', 'client_id'), [
    { name: 'Bill.pdf', client_id: client },
  ]);

  await world.db('storage_reservations').insert({
    firm_id: asha.actor.firmId,
    bytes: 1e15,
    lasting: true,
    made_at: world.now().toISOString(),
  });
  await load(page, `${url}/share`);
  await share(page, 'Second.pdf');
  await page.locator('main ::-p-text(Upload 1 file)').click();
  await waitForText(page, 'Some files were not uploaded');
  await page.locator('.user-button').click();
  await page.locator('[role=menuitem] ::-p-text(Logout)').click();
  await waitForText(page, '2 files shared from this phone are not uploaded yet');
  await page.locator('[role=alertdialog] button:last-of-type').click();
  await until(() => new URL(page.url()).pathname === '/login');
  await waitForValue(() => storedFiles(page), []);
});

test('files that come before the service worker is installed, or after a browser has removed it, are said to be lost', async ({
  page,
  url,
}) => {
  await signIn(page, url, ASHA, '/recent');
  await share(page, 'Bill.pdf');
  await waitForText(page, 'The files did not come through');
});

test('files shared while nobody is signed in wait for the next user who signs in, and are not shown to others', async ({
  page,
  url,
  world,
}) => {
  const otherUser = await world.build.account({ email: 'ravi@other.in' });
  await openSharePage(page, url);
  await signOut(page);
  await share(page, 'Notice.pdf');
  assert.match(page.url(), /\/login\?next=/);
  await page.locator('[name=email]').fill(ASHA.email);
  await page.locator('[name=password]').fill(ASHA.password);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Notice.pdf');
  // As if the session had been ended on another device.
  await page.deleteCookie(...(await page.cookies()));
  await page.evaluate(() => localStorage.clear());
  // Or the page, still open as Asha's, would leave when it learns of the other user.
  await page.goto(url + SMALL_PAGE);
  await signIn(page, url, { email: 'ravi@other.in', password: PASSWORD }, '/share');
  await waitForText(page, '1 file shared on this phone waits for another user');
  assert.not.match(await page.evaluate(() => document.body.innerText), 'Notice.pdf');
  await waitForValue(() => storedFiles(page), ['Notice.pdf']);
  assert.ok(otherUser);
});

test.run();
