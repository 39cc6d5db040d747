import * as assert from 'uvu/assert';
import type { DropView } from '#server/drop-links/contract.ts';
import { signIn } from '#server/testing/browser.ts';
import { clickButton, goTo } from './drive.ts';
import { holdRequests } from './held-requests.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite, pathOf, replaceText, waitForText, waitForValue } from './office.ts';
import { shareLink } from './share-link.ts';

const test = officeSuite('the screen Shared');

const clientOf = ({ world, asha }: Office, name: string) =>
  world.build.client(asha.actor, name, { email: 'client@example.in' });

const valueOf = (office: Office, selector: string): Promise<string> =>
  office.page.$eval(`[role=dialog] ${selector}`, (field) => (field as HTMLInputElement).value);

/** Closes a dialog with typed values, which asks first. */
async function discardTyped(page: Office['page']): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('[role=alertdialog] button ::-p-text(Discard)').click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
}

test('the mark of a shared item is no part of the page from the server, which React would discard', async (office) => {
  const { page, world, asha, url } = office;
  const file = await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  await shareLink(office, [file.id]);
  await signIn(page, url, ASHA, '/dashboard');
  const MARK = 'main [data-id] [aria-label="Shared by a link"]';
  await page.waitForSelector(MARK);
  // Here the shared items are known before the rows of the next page are hydrated.
  await goTo(page, '/documents');
  await page.waitForSelector(MARK);
  await goTo(page, '/dashboard');
  await page.waitForSelector(MARK);
});

test('a new link for a page, a drop link or a shared folder keeps what is typed beside it and not saved yet', async (office) => {
  const { page, world, asha, url } = office;
  const client_id = await clientOf(office, 'Meera Iyer');
  await world.services.portal.office.make(asha.actor, { client_id, emails: [] });
  await world.services.drops.make(asha.actor, { client_id, file_mb: 50, max_files: 1000 });
  const folder = await world.build.folder(asha.actor, 'Sharma Traders');
  await shareLink(office, [folder.id]);
  await signIn(page, url, ASHA, '/shared');
  // Several links to one folder are told apart by it.
  await page.waitForSelector('main ::-p-text(made Nov 20, 2026)');

  await page.locator('[aria-label="Change the page of Meera Iyer"]').click();
  const pageAddress = await (await page.waitForSelector('[role=dialog] input[readonly]'))!.evaluate(
    (input) => (input as HTMLInputElement).value,
  );
  await page.locator('[role=dialog] textarea').fill('father@iyer.in');
  await clickButton(page, 'New link');
  await page.locator('[role=alertdialog] button ::-p-text(New link)').click();
  await waitForValue(async () => (await valueOf(office, 'input[readonly]')) !== pageAddress, true);
  assert.is(await valueOf(office, 'textarea'), 'father@iyer.in');
  await discardTyped(page);
  await page.locator('[aria-label="Change the page of Meera Iyer"]').click();
  await page.locator('[role=dialog] textarea').fill('father@iyer.in');
  await clickButton(page, 'Save e-mail addresses');
  await waitForText(page, 'E-mail addresses saved');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  assert.is(await page.$('[role=alertdialog]'), null, 'what is saved is not asked about');

  await page.locator('[aria-label="Change the drop link of Meera Iyer"]').click();
  await page.waitForSelector('[role=dialog] input[readonly]');
  const dropAddress = await valueOf(office, 'input[readonly]');
  await replaceText(page, '[role=dialog] input[inputmode=numeric]', '20');
  await clickButton(page, 'New address');
  await page.locator('[role=alertdialog] button ::-p-text(New address)').click();
  await waitForValue(async () => (await valueOf(office, 'input[readonly]')) !== dropAddress, true);
  assert.is(await valueOf(office, 'input[inputmode=numeric]'), '20');
  await discardTyped(page);

  await page.locator('[aria-label="Change the link to “Sharma Traders”"]').click();
  await replaceText(page, '[role=dialog] input[inputmode=numeric]', '3');
  await clickButton(page, 'New address');
  await clickButton(page, 'Make a new address');
  await clickButton(page, 'Done');
  await page.waitForSelector('[role=dialog] input[inputmode=numeric]');
  assert.is(await valueOf(office, 'input[inputmode=numeric]'), '3');
  await discardTyped(page);

  // What is chosen and not typed is a change as well.
  await page.locator('[aria-label="Change the link to “Sharma Traders”"]').click();
  await page.locator('[role=dialog] button ::-p-text(View and download)').click();
  await page.locator('[role=option] ::-p-text(View only)').click();
  await page.waitForSelector('[role=option]', { hidden: true });
  await discardTyped(page);
});

test('Back to a list with other filters selects nothing in it, since only the list seen before was selected', async (office) => {
  const { page, world, asha, url } = office;
  for (const name of ['Meera Iyer', 'Anil Rao']) {
    const client_id = await clientOf(office, name);
    await world.services.drops.make(asha.actor, { client_id, file_mb: 50, max_files: 1000 });
    await world.services.portal.office.make(asha.actor, { client_id, emails: [] });
  }
  await signIn(page, url, ASHA, '/shared');
  await page.locator('::-p-aria([name="All kinds Kind"][role="button"])').click();
  await page.locator('[role=option] ::-p-text(Drop links)').click();
  await page.waitForSelector('[aria-label="Change the page of Anil Rao"]', { hidden: true });
  await clickButton(page, 'Select all');
  await waitForText(page, 'Revoke 2 links');
  await page.goBack();
  await page.waitForSelector('[aria-label="Change the page of Anil Rao"]');
  assert.is((await page.$$('main input[type=checkbox]:checked')).length, 0);
  assert.not.match(await page.evaluate(() => document.body.innerText), /(End|Revoke) \d links/);
});

test('Back closes an open dialog, on the list before as on the page before', async (office) => {
  const { page, world, asha, url } = office;
  const client_id = await clientOf(office, 'Meera Iyer');
  await world.services.drops.make(asha.actor, { client_id, file_mb: 50, max_files: 1000 });
  await signIn(page, url, ASHA, '/dashboard');
  await goTo(page, '/shared');
  await page.locator('::-p-aria([name="All kinds Kind"][role="button"])').click();
  await page.locator('[role=option] ::-p-text(Drop links)').click();
  for (const path of ['/shared', '/dashboard']) {
    await page.locator('[aria-label="Change the drop link of Meera Iyer"]').click();
    await page.waitForSelector('[role=dialog] input[readonly]');
    await page.goBack();
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await waitForValue(() => pathOf(page), path);
  }
});

test('of several links, one that cannot be ended does not stop the others, and one that a colleague has ended counts as done', async (office) => {
  const { page, world, asha, url } = office;
  const drops = [];
  for (const name of ['Meera Iyer', 'Anil Rao', 'Sharma Traders']) {
    const client_id = await clientOf(office, name);
    drops.push(await world.services.drops.make(asha.actor, { client_id, file_mb: 50, max_files: 1000 }));
  }
  const [kept, , gone] = drops.toReversed() as [DropView, DropView, DropView];
  await signIn(page, url, ASHA, '/shared');
  await clickButton(page, 'Select all');
  const { held, release } = await holdRequests(page, `/api/drop-links/${kept.id}`);
  await clickButton(page, 'Revoke 3 links');
  await page.waitForSelector('[role=alertdialog]');
  await world.services.drops.revoke(asha.actor, gone.id);
  await page.locator('[role=alertdialog] button ::-p-text(Revoke 3 links)').click();
  await waitForValue(() => held.length, 1);
  await held.pop()!.abort();
  await waitForText(page, '2 ended, 1 could not be ended. That did not work');
  const left = await world.services.drops.list(asha.actor, {});
  assert.equal(
    left.map(({ id }) => id),
    [kept.id],
  );
  await release();
  await clickButton(page, 'Revoke the link');
  await page.locator('[role=alertdialog] button ::-p-text(Revoke the link)').click();
  await waitForText(page, 'Link revoked');
});

test.run();
