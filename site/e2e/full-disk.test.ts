import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { fillDatabase, liftPageLimit } from '#server/testing/full-database.ts';
import { StoreFull } from '#storage/blobs.ts';
import { enterDrive, clickRow, press, row, clickButton, uploadFiles } from './drive.ts';
import { ASHA, officeSuite, waitForText } from './office.ts';

const test = officeSuite('a server without room on its disk');

const SENTENCE = 'The server has no room left on its disk';

test('an upload says that there is no room, and can be tried again once there is', async (office) => {
  const { page, world } = office;
  const { put } = world.blobs;
  world.blobs.put = () => Promise.reject(new StoreFull());
  await enterDrive(office);
  await uploadFiles(page, [{ name: 'Bill.pdf', content: 'bill' }]);
  await page.waitForSelector('[data-uploads] [data-status="error"]');
  await waitForText(page, SENTENCE);
  world.blobs.put = put;
  await page.locator('[aria-label="Retry Bill.pdf"]').click();
  await row(page, 'Bill.pdf');
});

test('renaming and deleting with a full disk say so, and keep what was typed', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  await enterDrive(office);
  await fillDatabase(world.db);
  await clickRow(page, 'Bill.pdf');
  await press(page, 'F2');
  await page.waitForSelector('[role="dialog"] input');
  await page.keyboard.type('Bill of a long name '.repeat(9));
  await press(page, 'Enter');
  await page.waitForFunction(
    (sentence) =>
      document.querySelector<HTMLElement>('[role="dialog"]')?.innerText.includes(sentence) === true,
    {},
    SENTENCE,
  );
  const typed = await page.$eval('[role="dialog"] input', (input) => (input as HTMLInputElement).value);
  assert.match(typed, /long name/);
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });

  await press(page, 'Delete');
  await page.waitForSelector('[role="alertdialog"]');
  await clickButton(page, 'Delete “Bill.pdf”');
  await page.waitForFunction(
    (sentence) => document.querySelector<HTMLElement>('main')?.innerText.includes(sentence) === true,
    {},
    SENTENCE,
  );
  await row(page, 'Bill.pdf');
  await liftPageLimit(world.db);
  await press(page, 'Delete');
  await page.waitForSelector('[role="alertdialog"]');
  await clickButton(page, 'Delete “Bill.pdf”');
  await page.waitForSelector('[data-id][aria-label="Bill.pdf"]', { hidden: true });
});

test('signing in with a full disk says so, and works once there is room', async (office) => {
  const { page, url, world } = office;
  await load(page, `${url}/login`);
  await fillDatabase(world.db);
  await page.type('[name=email]', ASHA.email);
  await page.type('[name=password]', ASHA.password);
  await page.keyboard.press('Enter');
  await waitForText(page, SENTENCE);
  await liftPageLimit(world.db);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname === '/dashboard');
});

test.run();
