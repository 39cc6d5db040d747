import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { enterDrive, focusedRow, rowNames, openByName, press, row } from './drive.ts';
import { waitForValue, officeSuite, pathOf, waitForText } from './office.ts';

const test = officeSuite('all results of a search');
test.before.each(async ({ world, asha }) => {
  const folder = await world.build.folder(asha.actor, 'Sharma');
  for (let n = 1; n <= 12; n += 1) {
    await world.build.file(asha.actor, {
      name: `Return ${n}.pdf`,
      content: 'x'.repeat(n),
      parent_id: n % 2 ? folder.id : null,
    });
  }
  await world.build.file(asha.actor, { name: 'Other.pdf' });
});

test('the last line of the quick results leads to a page of all results, which sorts and selects like a folder', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await press(page, 'Control+k');
  await page.keyboard.type('return');
  await waitForText(page, 'And 4 more results...');
  for (let n = 0; n < 9; n += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Results for “return”');
  await waitForValue(() => pathOf(page), '/dashboard?search=return');
  await row(page, 'Return 12.pdf');
  await waitForValue(
    async () => (await rowNames(page)).slice(0, 3),
    ['Return 1.pdf', 'Return 2.pdf', 'Return 3.pdf'],
  );
  const places = await page.$$eval('[data-id]', (rows) =>
    rows.slice(0, 2).map((line) => [line.ariaDescription, line.querySelector('.list-place')?.textContent]),
  );
  assert.equal(
    places,
    [
      ['Sharma', 'Sharma'],
      ['My Drive', 'My Drive'],
    ],
    'files of the same name differ by where they are',
  );
  await waitForValue(async () => (await rowNames(page)).length, 12);
  await page.locator('[role="columnheader"] button[aria-label*="Size"], .list-size button').click();
  await page.waitForFunction(
    () => document.querySelector('[data-id]')?.getAttribute('aria-label') !== 'Return 1.pdf',
  );
  await page.focus('[role="grid"]');
  await press(page, 'Control+a');
  await waitForText(page, '12 selected');
});

test('the page of results has its own URL, to which Back returns, and each filter can be removed', async (office) => {
  const { page, url } = office;
  const asha = { name: 'Asha Rao' };
  await enterDrive(office, '/dashboard?search=sharma');
  const inside = [1, 3, 5, 7, 9, 11].map((n) => `Return ${n}.pdf`);
  await waitForValue(() => rowNames(page), ['Sharma', ...inside], 'the folder and its contents');
  await openByName(page, 'Sharma');
  await page.waitForFunction(() => /^\/dashboard\/folder\/\d+$/.test(location.pathname));
  await row(page, 'Return 1.pdf');
  await page.goBack();
  await waitForText(page, 'Results for “sharma”');
  await page.locator('[aria-label="Leave the search"]').click();
  await row(page, 'Other.pdf');
  await waitForValue(() => pathOf(page), '/dashboard');
  await load(page, `${url}/dashboard?search=nothing-like-this`);
  await waitForText(page, 'No files found');
  await waitForText(page, 'Try fewer letters, another word, or fewer filters.');

  // Each filter is a chip, and the person is chosen from the people of the firm.
  await press(page, 'Control+k');
  await page.keyboard.type('fy:');
  // In November 2026.
  await page.waitForSelector('[role=option]:first-of-type ::-p-text(FY 2026-27)');
  await press(page, 'Control+a');
  await page.keyboard.type('return type:folder from:');
  await page.locator(`[role=option] ::-p-text(${asha.name})`).click();
  await waitForText(page, 'No results for “return type:folder from:"Asha Rao"”.');
  await page.keyboard.press('Enter');
  await waitForText(page, `From: ${asha.name}`);
  await page.locator('main [aria-label^="Remove filter Type"]').click();
  await row(page, 'Return 12.pdf');
  assert.is(new URL(page.url()).searchParams.get('search'), `return from:"${asha.name}"`);
});

test('clients are listed above files in the results, each with links to its page and to its files', async (office) => {
  const { page, world, asha } = office;
  const more = { pan: 'AAACS1234A', city: 'Pune', client_type: 'Company' } as const;
  const id = await world.build.client(asha.actor, 'Sharma Traders', more);
  await enterDrive(office);
  await press(page, 'Control+k');
  await page.keyboard.type('sharma');
  await waitForText(page, 'Files and folders');
  const lines = () =>
    page.$$eval('[role=option]', (options) => options.map((line) => line.ariaLabel ?? line.textContent));
  await waitForValue(
    () => lines(),
    [
      'STSharma TradersCompany · Pune',
      'Files of Sharma Traders',
      'SharmaMy Drive',
      ...[11, 9, 7, 5, 3, 1].map((n) => `Return ${n}.pdfSharma`),
    ],
  );
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname === '/dashboard' && location.search);
  assert.match(pathOf(page), new RegExp(`^/dashboard\\?client=${id}&clientName=Sharma(%20|\\+)Traders$`));
  // The field loses the focus a moment after a line is chosen: text typed before that would be lost.
  await page.waitForFunction(() => !document.activeElement?.matches('.global-search'));
  await press(page, 'Control+k');
  await page.keyboard.type('acs1234');
  await waitForText(page, 'PAN AAACS1234A · Company · Pune');
  await page.locator('[role=option]').click();
  await page.waitForFunction(() => location.pathname.startsWith('/clients/'));
  await page.waitForFunction(() => !document.activeElement?.matches('.global-search'));
  await waitForValue(() => pathOf(page), `/clients/${id}`);
  await enterDrive(office, '/dashboard?search=sharma');
  const links = await page.$$eval('[aria-labelledby=found-clients] a', (elements) =>
    elements.map((link) => link.getAttribute('href')),
  );
  assert.equal(links, [`/clients/${id}`, `/dashboard?client=${id}&clientName=Sharma%20Traders`]);
});

test('a filter is completed during typing, shown as a chip, and removed by its cross', async (office) => {
  const { page, world, asha } = office;
  const client_id = await world.build.client(asha.actor, 'Sharma Traders');
  await world.build.file(asha.actor, { name: 'Return of Sharma.pdf', client_id });
  await enterDrive(office);
  await press(page, 'Control+k');
  await page.keyboard.type('return client:shar');
  await waitForText(page, 'Choices');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const field = () => page.$eval('.global-search', (input) => (input as HTMLInputElement).value);
  await waitForValue(() => field(), 'return client:"Sharma Traders" ');
  await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 1);
  await waitForText(page, 'Return of Sharma.pdf');
  await page.locator('[aria-label="Remove filter Client: Sharma Traders"]').click();
  await waitForValue(() => field(), 'return ');
  await page.keyboard.type('fy:2025-27');
  await waitForText(page, '“2025-27” is no year. Write it as 2025-26.');
});

test('Enter without choosing a result shows all results', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await press(page, 'Control+k');
  await page.keyboard.type('return');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Results for “return”');
});

test('after a search that finds nothing the focus is where the results would be, and one that finds something goes on by arrows', async (office) => {
  const { page } = office;
  await enterDrive(office);
  for (const query of ['zzz', 'zzzz', 'return']) {
    await press(page, 'Control+k');
    await page.keyboard.type(query);
    await page.keyboard.press('Enter');
    await waitForValue(() => pathOf(page), `/dashboard?search=${query}`);
    await page.waitForFunction(() => document.activeElement?.matches('#list, [role=grid]'));
  }
  await row(page, 'Return 2.pdf');
  await press(page, 'ArrowDown');
  await waitForValue(() => focusedRow(page), 'Return 1.pdf');
});

test.run();
