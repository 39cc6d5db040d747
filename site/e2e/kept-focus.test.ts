import type { Page } from 'puppeteer';
import { uploadFile } from '#server/scanning/testing/upload-file.ts';
import { PASSWORD } from '#server/testing/build.ts';
import { openPage, signIn } from '#server/testing/browser.ts';
import { clickButton, enterDrive, rowSelector, waitForRowGone } from './drive.ts';
import { ASHA, officeSuite, waitForText, waitForValue } from './office.ts';

const test = officeSuite('the focus when a row disappears with its pressed button');

/** The name of the focused control. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim() ?? '';
  });

/** Presses a button by keyboard, and confirms where `question` opens. */
async function endByKey(page: Page, button: string, question = true): Promise<void> {
  await page.waitForSelector(button);
  await page.focus(button);
  await page.keyboard.press('Enter');
  if (!question) return;
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
}

test('in Settings it moves to the next app password or device, and with the last one to what remains', async (office) => {
  const { page, url, world, asha } = office;
  for (const name of ['Laptop', 'Phone'])
    await world.services.drivePasswords.create(asha.actor, {
      current_password: PASSWORD,
      name,
      read_only: true,
      folder_id: null,
    });
  // A browser that signs in again is another device.
  for (let device = 0; device < 2; device += 1) {
    const other = await openPage(office.browser);
    await signIn(other, url, ASHA, '/settings');
    await other.browserContext().close();
  }
  await signIn(page, url, ASHA, '/settings');
  await endByKey(page, '[aria-label="End the app password Phone"]');
  await waitForValue(() => focused(page), 'End the app password Laptop');
  await endByKey(page, '[aria-label="End the app password Laptop"]');
  await waitForValue(() => focused(page), 'New app password');

  const DEVICES = 'button[aria-label^="Sign out "]';
  const isOnDevice = () => page.evaluate((button) => document.activeElement?.matches(button), DEVICES);
  const countDevices = () => page.$$eval(DEVICES, ({ length }) => length);
  for (let left = (await countDevices()) - 1; left >= 0; left -= 1) {
    await endByKey(page, DEVICES, false);
    await waitForValue(countDevices, left);
    if (left > 0) await waitForValue(isOnDevice, true);
  }
  await waitForValue(
    () => page.evaluate(() => document.activeElement !== document.body),
    true,
    'the area of the devices has the focus',
  );
});

test('in Team, Shared, Storage and Quarantine it moves to the next row', async (office) => {
  const { page, url, world, asha } = office;
  const { build, services } = world;
  await services.subscription.startTrial(asha.actor);
  await services.team.invite(asha.actor, {
    emails: ['meera@rao.in', 'ravi@rao.in'],
    role: 'staff',
    client_scope: 'all',
    client_ids: [],
    groups: [],
  });
  await signIn(page, url, ASHA, '/team');
  const revoke = (email: string) => `[aria-label="Revoke the invitation to ${email}"]`;
  const [first, second] = await page.$$eval('[aria-labelledby=invitations] li p:first-child', (rows) =>
    rows.map((row) => row.textContent),
  );
  await endByKey(page, revoke(first!));
  await waitForValue(() => focused(page), `Revoke the invitation to ${second}`);
  await endByKey(page, revoke(second!));
  await waitForValue(() => page.evaluate(() => document.activeElement?.id), 'content');

  for (const name of ['Anand Mills', 'Bharat Tools'])
    await services.drops.make(asha.actor, {
      client_id: await build.client(asha.actor, name),
      kinds: 'any',
      file_mb: 1,
    });
  await signIn(page, url, ASHA, '/shared?state=open');
  await page.waitForSelector('main li[data-id]:nth-child(2)');
  await endByKey(page, 'main li[data-id] button:last-child');
  await page.waitForSelector('main li[data-id]:nth-child(2)', { hidden: true });
  await waitForValue(
    () => page.evaluate(() => document.activeElement?.matches('main li[data-id] button:last-child')),
    true,
  );

  for (const content of ['one', 'two'])
    for (const copy of ['a', 'b']) await build.file(asha.actor, { name: `${content} ${copy}.txt`, content });
  await signIn(page, url, ASHA, '/storage');
  const GROUP = '[aria-label="Duplicates"] > li';
  await page.waitForSelector(`${GROUP}:nth-child(2)`);
  await endByKey(page, `${GROUP} button`);
  await page.waitForSelector(`${GROUP}:nth-child(2)`, { hidden: true });
  await waitForValue(
    () => page.evaluate((group) => document.activeElement?.matches(`${group} button`), GROUP),
    true,
  );

  for (const name of ['setup.pdf', 'update.pdf'])
    await uploadFile(
      url,
      asha.token,
      name,
      Buffer.concat([
        Buffer.from('MZ\x90\0\x03\0\0\0'),
        Buffer.alloc(200),
        Buffer.from('PE\0\0'),
        Buffer.from(name),
      ]),
    );
  await signIn(page, url, ASHA, '/quarantine');
  const DELETE = 'main li button:last-child';
  await endByKey(page, DELETE, false);
  await page.locator('[role=dialog] textarea').fill('A program');
  await page.locator('[role=dialog] button[type=submit]').click();
  await page.waitForFunction((button) => document.querySelectorAll(button).length === 1, {}, DELETE);
  await waitForValue(() => page.evaluate((button) => document.activeElement?.matches(button), DELETE), true);
});

test('in the drive and in Trash it moves to the list after a deletion by the menu, a move, and a restore of the last row', async (office) => {
  const { page, world, asha } = office;
  await world.build.folder(asha.actor, 'Archive');
  for (const name of ['Audit.pdf', 'Bill.pdf']) await world.build.file(asha.actor, { name });
  await enterDrive(office);
  const hasFocus = (selector: string) =>
    waitForValue(
      () => page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector),
      true,
      selector,
    );
  await page.locator(`${rowSelector('Audit.pdf')} [data-menu]`).click();
  await clickButton(page, 'Delete');
  await clickButton(page, 'Delete “Audit.pdf”');
  await waitForRowGone(page, 'Audit.pdf');
  await hasFocus('.item-grid');

  await page.locator(`${rowSelector('Bill.pdf')} [data-menu]`).click();
  await clickButton(page, 'Move to...');
  await page.locator('[aria-label="Folders in My Drive"] li button').click();
  await clickButton(page, 'Move to Archive');
  await waitForRowGone(page, 'Bill.pdf');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await hasFocus('.item-grid');

  await page.goto(`${office.url}/trash`);
  await page.waitForSelector('[aria-label="Restore Audit.pdf"]');
  await page.focus('[aria-label="Restore Audit.pdf"]');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Trash is empty');
  await hasFocus('#list');
});

test.run();
