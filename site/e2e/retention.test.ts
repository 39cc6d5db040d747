import * as assert from 'uvu/assert';
import { PASSWORD } from '#server/testing/build.ts';
import { load, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { clickButton, press } from './drive.ts';
import { ASHA, officeSuite, replaceText, textOf, waitForText } from './office.ts';

const test = officeSuite('retention');

const SEVEN_YEARS = { name: 'Seven years', source: '', months: 84, counts_from: 'put_in' } as const;

test('a rule from a suggestion keeps documents, and those whose period is over are destroyed with the password and a certificate', async (office) => {
  const { page, world, asha, url } = office;
  const { build, services } = world;
  const company = await build.client(asha.actor, 'Mehta Ltd', { client_type: 'Company' });
  const old = await build.file(asha.actor, { name: 'ledger 2014-15.pdf', client_id: company });
  await build.file(asha.actor, { name: 'ledger 2025-26.pdf', client_id: company });
  await signIn(page, url, ASHA, '/retention');
  await waitForText(page, 'No retention rules yet');
  await clickButton(page, 'New rule');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'Enter a name for the rule');
  await page.locator('[role="dialog"] ::-p-text(A rule of your own)').click();
  await page.locator('[role="option"] ::-p-text(Books of a company)').click();
  await waitForText(page, 'A suggestion, and not legal advice');
  assert.not.match(await textOf(page, '[role="dialog"]'), 'Enter a name for the rule');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'Keep 2 files for 8 years?');
  await page.locator('[role="alertdialog"] button ::-p-text(Add rule)').click();
  await waitForText(page, 'Rule “Books of a company” added');
  await waitForText(page, 'Keeps 2 files');
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Edit Books of a company');
  await waitForText(page, 'ledger 2025-26.pdf');

  const { failed } = await services.documents.remove(asha.actor, [old.id]);
  assert.is(failed[0]?.code, 'kept');
  // Another session enters the start of the period: the open screen updates.
  await services.retention.mark(asha.actor, old.id, { counts_from: '2015-01-10' });
  await waitForText(page, '1 past retention');
  await load(page, `${url}/retention`);
  await waitForText(page, 'ended on');
  const named = await page.$$eval('[aria-label^="Choose ledger"]', (boxes) =>
    boxes.map((box) => box.getAttribute('aria-label')),
  );
  assert.match(named.join(), /^Choose ledger 2014-15\.pdf, Mehta Ltd · My Drive, ended on /);
  assert.equal(await violations(page), []);
  await page.setViewport({ width: 390, height: 844 });
  const cut = await page.$$eval('ul[aria-label="Documents under a rule"] a .truncate', (names) =>
    names.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent),
  );
  assert.equal(cut, [], 'on a phone a short name is shown in full beside the date');
  await page.setViewport({ width: 1366, height: 768 });
  await clickButton(page, 'Choose all whose retention has ended');
  await waitForText(page, '1 chosen');
  // Items that a search does not show must not be destroyed with those it shows.
  await replaceText(page, '[placeholder="Search by name"]', 'ledger');
  await page.waitForFunction(() => !document.body.innerText.includes('1 chosen'));
  await clickButton(page, 'Choose all whose retention has ended');
  await clickButton(page, 'Destroy...');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'Enter why they are destroyed');
  await page.locator('[name="current_password"]').fill(PASSWORD);
  await page.locator('[name="reason"]').fill('Client informed');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'Destruction confirmed');
  await services.jobs.runDue('destruction');
  await waitForText(page, 'Download PDF');
  await waitForText(page, 'No retention period has ended');
});

test('a rule for a label says in an office without labels where they come from, also after it was saved in vain', async (office) => {
  const { page, url } = office;
  await signIn(page, url, ASHA, '/retention');
  await clickButton(page, 'New rule');
  await page.locator('[role=dialog] [name=name]').fill('Signed');
  await page.locator('[role=dialog] button ::-p-text(All documents)').click();
  await page.locator('[role=option] ::-p-text(What has a label)').click();
  await waitForText(page, 'There are no labels yet. Make the first one in the drive');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await page.waitForSelector('[role=dialog] [data-invalid] ::-p-text(There are no labels yet)');
});

test('the focus goes to the button for a new rule after the last rule is removed, so that Tab goes on from there', async (office) => {
  const { page, world, asha, url } = office;
  await world.services.retention.add(asha.actor, { ...SEVEN_YEARS, applies_to: 'everything' });
  await signIn(page, url, ASHA, '/retention');
  await page.locator('[aria-label="Remove Seven years"]').click();
  await page.locator('[name="reason"]').fill('Not needed');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'No retention rules yet');
  await page.waitForFunction(() => document.activeElement?.textContent === 'New rule');
});

test('a rule for a folder that a colleague has deleted meanwhile says so when it is saved, and takes another folder', async (office) => {
  const { page, world, asha, url } = office;
  const { build, services } = world;
  const folder = await build.folder(asha.actor, 'Returns');
  await build.folder(asha.actor, 'Audits');
  await services.retention.add(asha.actor, { ...SEVEN_YEARS, applies_to: 'folder', item_id: folder.id });
  await signIn(page, url, ASHA, '/retention');
  await page.locator(`[aria-label="Edit Seven years"]`).click();
  await services.documents.remove(asha.actor, [folder.id]);
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'This folder does not exist any more. Choose another.');
  await page.locator('[role="dialog"] ::-p-text(Returns)').click();
  await page.locator('[aria-label^="Folders in"] ::-p-text(Audits)').click();
  await clickButton(page, 'Choose “Audits”');
  await page.waitForFunction(() => !document.body.innerText.includes('does not exist any more'));
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'Rule “Seven years” changed');
});

test('the details show until when an item is kept, and let permitted people enter the date or exempt the item', async (office) => {
  const { page, world, asha, url } = office;
  const { build, services } = world;
  const folder = await build.folder(asha.actor, 'Audit');
  await build.file(asha.actor, { name: 'report.pdf', parent_id: folder.id });
  await services.retention.add(asha.actor, {
    name: 'Audit file',
    source: '',
    applies_to: 'folder',
    item_id: folder.id,
    months: 84,
    counts_from: 'said_day',
  });
  await signIn(page, url, ASHA, `/dashboard/folder/${folder.id}`);
  await page.locator('[data-id]').click();
  await page.keyboard.press('Delete');
  await waitForText(page, 'This is kept by the retention rule');
  await page.waitForSelector('[role="alertdialog"] button[disabled]');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('[role="alertdialog"]'));
  await page.keyboard.down('Control');
  await page.keyboard.press('i');
  await page.keyboard.up('Control');
  await waitForText(page, 'a date is entered');
  await clickButton(page, 'Enter date...');
  await page.waitForSelector('[name="counts_from"]');
  await page.$eval('[name="counts_from"]', (field) => {
    // Set like from a date picker: how a date is typed depends on the language of the browser.
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!;
    set!.call(field, '2020-06-30');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'Date saved');
  await waitForText(page, 'Entered by Asha Rao');
  await clickButton(page, 'Take out of the rules...');
  await page.locator('[name="exempt_reason"]').fill('Uploaded by mistake');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'Put back under the rules');
});

test('Esc asks before it discards a new rule, also when its folder was chosen in a dialog of its own', async (office) => {
  const { page, world, asha, url } = office;
  await world.build.folder(asha.actor, 'Sharma Traders');
  await signIn(page, url, ASHA, '/retention');
  await clickButton(page, 'New rule');
  await page.locator('[role=dialog] [name=name]').fill('Books of Sharma Traders');
  await page.locator('[role=dialog] button ::-p-text(All documents)').click();
  await page.locator('[role=option] ::-p-text(A folder and what it holds)').click();
  await clickButton(page, 'Choose a folder...');
  await page.locator('[role=dialog] li button ::-p-text(Sharma Traders)').click();
  await clickButton(page, 'Choose “Sharma Traders”');
  await page.waitForSelector('[role=dialog] button ::-p-text(Sharma Traders)');
  await press(page, 'Escape');
  await waitForText(page, 'Discard your changes?');
  await clickButton(page, 'Keep editing');
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  const typed = await page.$eval('[role=dialog] [name=name]', (field) => (field as HTMLInputElement).value);
  assert.is(typed, 'Books of Sharma Traders');
  await press(page, 'Escape');
  await clickButton(page, 'Discard');
  await page.waitForSelector('[role=dialog]', { hidden: true });

  await clickButton(page, 'New rule');
  await page.locator('[role=dialog] ::-p-text(A rule of your own)').click();
  await page.locator('[role=option] ::-p-text(Books of a company)').click();
  await waitForText(page, 'A suggestion, and not legal advice');
  await press(page, 'Escape');
  await waitForText(page, 'Discard your changes?');
});

test.run();
