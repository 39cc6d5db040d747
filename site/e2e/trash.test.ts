import * as assert from 'uvu/assert';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import { fillPaths } from '#server/testing/paths.ts';
import { violations } from './axe.ts';
import {
  enterDrive,
  waitForRowGone,
  rowNames,
  clickRow,
  press,
  row,
  clickButton,
  selectedNames,
} from './drive.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, officeSuite, pathOf, textOf, waitForText } from './office.ts';
import { holdTimers } from './quick.ts';

const test = officeSuite('trash');

async function withFiles({ world, asha }: Office): Promise<number> {
  const folder = await world.build.folder(asha.actor, 'Returns');
  for (const name of ['Audit.pdf', 'Bill.pdf']) await world.build.file(asha.actor, { name });
  return (await world.build.file(asha.actor, { name: 'Form 16.pdf', parent_id: folder.id })).id;
}

const restored = ({ world, asha }: Office, id: number) => world.services.documents.item(asha.actor, id);

test('the question before deleting says how long items stay in Trash, and Undo restores them, a folder with its contents', async (office) => {
  const { page } = office;
  const form = await withFiles(office);
  await holdTimers(page, 8000);
  await enterDrive(office);
  await press(page, 'Control+a');
  await press(page, 'Delete');
  await waitForText(
    page,
    'Are you sure you want to delete 3 selected item(s)? They stay in Trash for 30 days.',
  );
  await clickButton(page, 'Delete 3 items');
  await waitForText(page, '3 items moved to Trash');
  await page.waitForFunction(() => document.querySelectorAll('[data-id]').length === 0);
  await clickButton(page, 'Undo');
  await row(page, 'Returns');
  await waitForValue(() => rowNames(page), ['Returns', 'Audit.pdf', 'Bill.pdf']);
  assert.is((await restored(office, form)).path, 'Returns');

  await clickRow(page, 'Returns');
  await press(page, 'Delete');
  await waitForText(
    page,
    'This folder and all of its contents will be deleted. They stay in Trash for 30 days.',
  );
  await clickButton(page, 'Delete “Returns”');
  await waitForText(page, '“Returns” moved to Trash');
  await press(page, 'Control+z');
  await row(page, 'Returns');

  const { services } = office.world;
  const { id: elsewhere } = await services.documents.createFolder(office.asha.actor, {
    name: 'Elsewhere',
    parent_id: null,
    client_id: null,
  });
  await clickRow(page, 'Bill.pdf');
  await press(page, 'Delete');
  await clickButton(page, 'Delete “Bill.pdf”');
  await waitForText(page, '“Bill.pdf” moved to Trash');
  const [bill] = (await services.trash.list(office.asha.actor)).items;
  await services.trash.restore(office.asha.actor, { ids: [bill!.id], parent_id: elsewhere });
  await press(page, 'Control+z');
  await waitForText(page, 'This item is no longer in Trash.');
});

test('Trash restores items to their former folder, which Show opens, and a colleague sees them come back', async (office) => {
  const { page, world, asha, url, browser } = office;
  const form = await withFiles(office);
  const { items } = await world.services.documents.folder(asha.actor, null);
  await world.services.documents.remove(asha.actor, [form, items[1]!.id]);
  const { email, password } = await world.build.colleague(asha.actor);
  const colleaguesPage = await openPage(browser);
  await signIn(colleaguesPage, url, { email, password }, '/dashboard');
  await row(colleaguesPage, 'Bill.pdf');
  await holdTimers(page, 3000);
  await enterDrive(office);
  await page.locator('nav a[href="/trash"]').click();
  await row(page, 'Form 16.pdf');
  await page.waitForFunction(() => !document.querySelector('main astro-island[ssr]'));
  await waitForValue(async () => (await rowNames(page)).toSorted(), ['Audit.pdf', 'Form 16.pdf']);
  await waitForText(page, '2 items · 14 B in all');
  await waitForText(page, 'My Drive / Returns');
  await page.locator('[aria-label="Restore Audit.pdf"]').click();
  await waitForText(page, '“Audit.pdf” restored');
  await waitForRowGone(page, 'Audit.pdf');
  await row(colleaguesPage, 'Audit.pdf');
  await page.locator('[data-id][aria-label="Form 16.pdf"] a').click();
  await waitForText(page, 'It goes back to where it was: My Drive / Returns.');
  await clickButton(page, 'Restore');
  await waitForText(page, 'Trash is empty');
  assert.is((await restored(office, form)).path, 'Returns');
  await page.locator('[data-sonner-toast][data-front="true"] [data-action]').click();
  await waitForValue(() => selectedNames(page), ['Form 16.pdf']);
  assert.is(
    await pathOf(page),
    `/dashboard/folder/${(await world.services.documents.item(asha.actor, form)).parent_id}?highlight=${form}`,
  );
});

test('a deleted folder shows the size of its contents at every depth, and an empty one that it has no files, also on a phone', async (office) => {
  const { page, world, asha, url } = office;
  const folders = await fillPaths(world, asha.actor, ['Returns/ITR/Form 16.pdf', 'Returns/a.pdf', 'Drafts/']);
  await world.services.documents.remove(asha.actor, [...folders.values()]);
  await signIn(page, url, ASHA, '/trash');
  const sizes = async (cell: string) =>
    Promise.all(['Returns', 'Drafts'].map((name) => textOf(page, `[data-id][aria-label="${name}"] ${cell}`)));
  assert.equal(await sizes('.list-size'), ['14 B', 'No files']);
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await waitForText(page, 'until Dec 20, 2026 · 14 B');
  await waitForText(page, 'until Dec 20, 2026 · No files');
});

test('restoring to a taken name asks as a move does before anything is restored, and items can be restored to another folder by right click', async (office) => {
  const { page, world, asha } = office;
  await withFiles(office);
  const { items } = await world.services.documents.folder(asha.actor, null);
  const [, audit, bill] = items;
  world.advance(24 * 60 * 60 * 1000);
  await world.services.documents.remove(asha.actor, [audit!.id, bill!.id]);
  await world.build.file(asha.actor, { name: 'Audit.pdf' });
  await signIn(page, office.url, ASHA, '/trash');
  await page.waitForSelector('[aria-label="Restore Audit.pdf"]');
  await press(page, 'Control+a');
  await clickButton(page, 'Restore');
  await waitForText(page, '1 more item has a name that is free, and is restored too.');
  // Not the day of its deletion, or it would look as new as the other one.
  await waitForText(page, 'B, Nov 20, 2026');
  await clickButton(page, 'Cancel');
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  assert.equal((await selectedNames(page)).toSorted(), ['Audit.pdf', 'Bill.pdf']);
  await page.locator('[aria-label="Restore Audit.pdf"]').click();
  await waitForText(page, 'Keep both');
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await waitForText(page, 'Its name was taken: it is called “Audit (2).pdf” now.');
  await waitForRowGone(page, 'Audit.pdf');
  await clickRow(page, 'Bill.pdf', 'right');
  await page.locator('[role=menuitem] ::-p-text(Restore to...)').click();
  await page.locator('[role=dialog] ::-p-text(Returns)').click();
  await clickButton(page, 'Restore to Returns');
  await waitForText(page, '“Bill.pdf” restored');
  assert.is((await restored(office, bill!.id)).path, 'Returns');
});

test('a restored folder whose name is taken can be merged with the one there, by keyboard, and Show opens that one', async (office) => {
  const { page, world, asha, url } = office;
  const { build, services } = world;
  const { id: old } = await build.folder(asha.actor, 'FY 2024-25');
  await build.file(asha.actor, { name: 'notice.pdf', parent_id: old });
  await services.documents.remove(asha.actor, [old]);
  const { id: there } = await build.folder(asha.actor, 'FY 2024-25');
  await build.file(asha.actor, { name: 'Form 16.pdf', parent_id: there });
  await holdTimers(page, 3000);
  await signIn(page, url, ASHA, '/trash');
  await page.locator('[aria-label="Restore FY 2024-25"]').click();
  await waitForText(page, '“FY 2024-25” is already there');
  await press(page, 'ArrowDown');
  assert.ok(await page.$('::-p-aria([name="Merge"][role="radio"]):checked'));
  assert.equal(await violations(page), []);
  await press(page, 'Enter');
  await waitForText(page, '“FY 2024-25” restored');
  await waitForText(page, 'Trash is empty');
  const inside = (await services.documents.folder(asha.actor, there)).items;
  assert.equal(inside.map(({ name }) => name).toSorted(), ['Form 16.pdf', 'notice.pdf']);
  await page.locator('[data-sonner-toast][data-front="true"] [data-action]').click();
  await waitForValue(() => selectedNames(page), ['FY 2024-25']);
});

test('deleting forever and emptying Trash say that they cannot be undone', async (office) => {
  const { page, world, asha } = office;
  await withFiles(office);
  const { items } = await world.services.documents.folder(asha.actor, null);
  await world.services.documents.remove(
    asha.actor,
    items.map(({ id }) => id),
  );
  await signIn(page, office.url, ASHA, '/storage');
  await waitForText(page, '21 B of it in Trash');
  assert.ok(await page.$('main a[href="/trash"]'));
  await load(page, `${office.url}/trash`);
  await clickRow(page, 'Bill.pdf');
  await waitForValue(() => selectedNames(page), ['Bill.pdf']);
  assert.equal(await violations(page), []);
  await press(page, 'Delete');
  await waitForText(page, 'Delete “Bill.pdf” forever?');
  await waitForText(page, 'This action cannot be undone.');
  await clickButton(page, 'Delete forever');
  await waitForText(page, '1 item deleted forever');
  await waitForRowGone(page, 'Bill.pdf');
  await page.locator('main ::-p-text(Empty Trash)').click();
  await waitForText(page, '2 items (14 B) are deleted forever. This action cannot be undone.');
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await waitForText(page, 'What you delete comes here, and stays for 30 days');
  assert.equal(await violations(page), []);
  assert.is(await world.services.records.used(asha.actor.firmId), 0);
});

test.run();

const without = officeSuite('trash switched off by TRASH_DAYS=0', { trashDays: 0 });

without('deleting is final, and the question before it says so', async (office) => {
  const { page, world, asha } = office;
  await withFiles(office);
  await enterDrive(office);
  await press(page, 'Control+a');
  await press(page, 'Delete');
  await waitForText(
    page,
    'Are you sure you want to delete 3 selected item(s)? This action cannot be undone.',
  );
  await clickButton(page, 'Delete 3 items');
  await waitForText(page, '3 items deleted');
  assert.is(await world.services.records.used(asha.actor.firmId), 0);
});

without.run();
