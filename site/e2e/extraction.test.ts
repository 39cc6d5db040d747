import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { forge } from '#server/archive/read/testing/forge.ts';
import type { Forged } from '#server/archive/read/testing/forge.ts';
import { violations } from './axe.ts';
import {
  chooseFiles,
  enterDrive,
  rowNames,
  openByName,
  clickRow,
  press,
  row,
  selectedNames,
  clickButton,
  uploadFiles,
} from './drive.ts';
import { holdRequests } from './held-requests.ts';
import type { Office } from './office.ts';
import { waitForValue, officeSuite, waitForText } from './office.ts';

const test = officeSuite('extraction of ZIP files');
test.before.each(async ({ world }) => {
  await world.services.jobs.start();
});

const zip = (entries: Forged[], name = 'GSTR-3B.zip') => ({ name, content: forge(entries) });
const returns: Forged[] = [
  { name: 'April/return.pdf', data: 'a' },
  { name: 'May/return.pdf', data: 'b' },
];

/** Chooses Extract ZIP in the menu of the row and confirms. */
async function extract({ page }: Office, name: string): Promise<void> {
  await clickRow(page, name, 'right');
  await clickButton(page, 'Extract ZIP');
  await waitForText(page, 'Its contents go into a new folder beside it');
  await clickButton(page, 'Extract ZIP');
}

const waitForStatus = (office: Office, status: string) =>
  office.page.waitForSelector(`[data-extraction][data-status="${status}"]`);

test('extracting asks first, selects the new folder when it is complete, and leaves the panel by itself', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await uploadFiles(page, [zip(returns)]);
  await row(page, 'GSTR-3B.zip');
  await extract(office, 'GSTR-3B.zip');
  await waitForStatus(office, 'completed');
  await waitForText(page, 'Extracted 2 files into "GSTR-3B".');
  await row(page, 'GSTR-3B');
  await waitForValue(() => rowNames(page), ['GSTR-3B', 'GSTR-3B.zip']);
  await page.waitForFunction(
    () => document.querySelector('[aria-label="GSTR-3B"]')?.getAttribute('aria-selected') === 'true',
  );
  await page.waitForSelector('[data-extraction]', { hidden: true });
});

test('what is selected while a ZIP is extracted stays selected, so that Delete means what the user chose', async (office) => {
  const { page, world, asha } = office;
  for (const name of ['a.pdf', 'b.pdf']) await world.build.file(asha.actor, { name });
  await enterDrive(office);
  await uploadFiles(page, [zip(returns)]);
  await row(page, 'GSTR-3B.zip');
  const { release } = await holdRequests(page, '/extract');
  await extract(office, 'GSTR-3B.zip');
  await clickRow(page, 'a.pdf');
  await press(page, 'Shift+ArrowDown');
  await waitForValue(() => selectedNames(page), ['a.pdf', 'b.pdf']);
  await release();
  await waitForText(page, 'Extracted 2 files into "GSTR-3B".');
  await page.waitForSelector('[aria-label="GSTR-3B"].animate-mark');
  assert.equal(await selectedNames(page), ['a.pdf', 'b.pdf']);
});

test('files skipped in an extraction are counted, and listed with their reasons', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await uploadFiles(page, [zip([...returns, { name: 'setup.exe', data: 'MZ' }])]);
  await extract(office, 'GSTR-3B.zip');
  await waitForStatus(office, 'completed');
  await waitForText(page, '1 skipped.');
  assert.equal(await violations(page), []);
  await clickButton(page, 'Show what was skipped');
  await waitForText(page, 'File type "exe" is not supported');
  assert.equal(await violations(page), []);
  await press(page, 'Escape');
});

test('a protected ZIP asks for its password before it is extracted, and a wrong password can be corrected', async (office) => {
  const { page } = office;
  const enterPassword = async (password: string) => {
    await page.locator('[role="dialog"] input[type="password"]').fill(password);
    await press(page, 'Enter');
  };
  await enterDrive(office);
  await uploadFiles(page, [zip([{ name: 'form16.pdf', data: 'x', password: 'ABCDE1234F' }])]);
  await extract(office, 'GSTR-3B.zip');
  await page.waitForSelector('[role="dialog"] input[type="password"]');
  assert.is(await page.$('[data-extraction]'), null, 'no extraction was started without the password');
  await enterPassword('wrong');
  await waitForStatus(office, 'failed');
  await waitForText(page, 'This password does not open the ZIP');
  await clickButton(page, 'Enter password');
  await enterPassword('ABCDE1234F');
  await waitForText(page, 'Extracted 1 file into "GSTR-3B".');
});

test('a damaged ZIP fails with its reason and offers Retry', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await uploadFiles(page, [zip([{ name: 'a.txt', data: 'x', crc: 1 }])]);
  await extract(office, 'GSTR-3B.zip');
  await waitForStatus(office, 'failed');
  await waitForText(page, 'This ZIP is damaged: "a.txt"');
  await page.waitForSelector('[aria-label="Retry GSTR-3B.zip"]');
  await waitForValue(() => rowNames(page), ['GSTR-3B.zip']);
});

test('the upload dialog offers extraction for ZIP files only, and replaces the ZIP by its contents', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await press(page, 'Control+u');
  await chooseFiles(page, [{ name: 'note.txt', content: 'x' }]);
  assert.not.ok(
    (await page.$eval('[role="dialog"]', (dialog) => dialog.textContent))?.includes('Extract ZIP'),
  );
  await chooseFiles(page, [zip(returns)]);
  await page.locator('::-p-xpath(//label[contains(., "Extract ZIP file contents")])').click();
  await clickButton(page, 'Start Upload');
  await row(page, 'GSTR-3B');
  await page.waitForSelector('[aria-label="GSTR-3B.zip"][data-id]', { hidden: true });
  await waitForValue(() => rowNames(page), ['GSTR-3B', 'note.txt']);
});

test('the contents of a ZIP can be browsed and searched, and only the chosen entries are extracted', async (office) => {
  const { page } = office;
  await enterDrive(office);
  const scans = Array.from({ length: 300 }, (_, n) => ({ name: `Scans/scan ${n}.pdf`, data: 's' }));
  const locked = { name: 'Form 16.pdf', data: 'f', password: 'ABCDE1234F' };
  await uploadFiles(page, [zip([...returns, ...scans, locked, { name: 'setup.exe', data: 'MZ' }])]);
  await openByName(page, 'GSTR-3B.zip');
  await waitForText(page, '303 files · 303 B · password protected · 1 file will be skipped');
  await page.waitForSelector('.zip-sheet [aria-label="Form 16.pdf"] [aria-label="Password protected"]');
  assert.equal(await violations(page), []);

  await page.locator('[aria-label="Download Form 16.pdf"]').click();
  await page.waitForSelector('[role="dialog"] input[type="password"]');
  await page.keyboard.type('guess');
  await press(page, 'Enter');
  await waitForText(page, 'This password does not open the ZIP');
  await press(page, 'Escape');
  await page.waitForSelector('input[type="password"]', { hidden: true });
  await page.focus('.zip-sheet [role="grid"]');

  // By keyboard alone: into the folder, to its end, and a range selected upwards from there.
  await press(page, 'S');
  await press(page, 'Enter');
  await page.waitForSelector('.zip-sheet [aria-rowcount="301"] [aria-label="scan 0.pdf"]');
  await press(page, 'End');
  await page.waitForSelector('.zip-sheet [aria-label="scan 299.pdf"]');
  await press(page, 'Shift+ArrowUp');
  await waitForText(page, '2 selected · 2 B');
  await press(page, 'Control+a');
  await waitForText(page, 'Extract 300 items');
  await press(page, 'Escape');
  await press(page, 'Backspace');
  await row(page, 'May');

  await page.keyboard.press('/');
  await page.keyboard.type('RETURN');
  await waitForText(page, 'in April');
  assert.is((await page.$$('.zip-sheet [data-id]')).length, 2);
  await page.locator('.zip-sheet [data-id] + [data-id] .entry-check').click();
  assert.equal(await violations(page), []);
  await clickButton(page, 'Extract 1 item');
  await waitForText(page, 'Extracted 1 file into "GSTR-3B".');
  await clickButton(page, 'Open folder');
  await row(page, 'May');
  await waitForValue(() => rowNames(page), ['May']);
});

test('"Extract all" of a ZIP with a locked file asks for the password first, instead of failing', async (office) => {
  const { page, world } = office;
  await enterDrive(office);
  const locked = { name: 'Form 16.pdf', data: 'f', password: 'ABCDE1234F' };
  await uploadFiles(page, [zip([...returns, locked])]);
  await openByName(page, 'GSTR-3B.zip');
  await clickButton(page, 'Extract all');
  await page.waitForSelector('[role="dialog"] input[type="password"]');
  assert.equal(
    await world.db('jobs').where({ kind: 'extraction' }),
    [],
    'no extraction was started without the password',
  );
  await page.type('[role="dialog"] input[type="password"]', 'ABCDE1234F');
  await press(page, 'Enter');
  await waitForText(page, 'Extracted 3 files into "GSTR-3B".');
});

test('a running extraction is still shown after a reload', async (office) => {
  const { page, world } = office;
  await enterDrive(office);
  await uploadFiles(page, [zip(returns)]);
  await row(page, 'GSTR-3B.zip');
  await world.services.jobs.stop();
  await extract(office, 'GSTR-3B.zip');
  await waitForStatus(office, 'starting');
  await load(page, page.url());
  await waitForStatus(office, 'starting');
  await world.services.jobs.start();
  await waitForStatus(office, 'completed');
});

test.run();
