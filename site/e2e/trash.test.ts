import * as assert from 'uvu/assert';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { enterDrive, gone, names, pick, press, row, say, selected } from './drive.ts';
import type { Office } from './office.ts';
import { ASHA, becomes, officeSuite, pathOf, seen } from './office.ts';
import { holdTimers } from './quick.ts';

const test = officeSuite('trash');

async function withFiles({ world, asha }: Office): Promise<number> {
  const folder = await world.build.folder(asha.actor, 'Returns');
  for (const name of ['Audit.pdf', 'Bill.pdf']) await world.build.file(asha.actor, { name });
  return (await world.build.file(asha.actor, { name: 'Form 16.pdf', parent_id: folder.id })).id;
}

const restored = ({ world, asha }: Office, id: number) => world.services.documents.item(asha.actor, id);

test('what is deleted says how long it stays, and comes back by Undo, also a folder with all it holds', async (office) => {
  const { page } = office;
  const form = await withFiles(office);
  await holdTimers(page, 8000);
  await enterDrive(office);
  await press(page, 'Control+a');
  await press(page, 'Delete');
  await seen(page, 'Are you sure you want to delete 3 selected item(s)? They stay in Trash for 30 days.');
  await say(page, 'Delete 3 items');
  await seen(page, '3 items moved to Trash');
  await page.waitForFunction(() => document.querySelectorAll('[data-id]').length === 0);
  await say(page, 'Undo');
  await row(page, 'Returns');
  await becomes(() => names(page), ['Returns', 'Audit.pdf', 'Bill.pdf']);
  assert.is((await restored(office, form)).path, 'Returns');

  await pick(page, 'Returns');
  await press(page, 'Delete');
  await seen(page, 'This folder and all of its contents will be deleted. They stay in Trash for 30 days.');
  await say(page, "Delete 'Returns'");
  await seen(page, "'Returns' moved to Trash");
  await press(page, 'Control+z');
  await row(page, 'Returns');
});

test('Trash is a screen away, restores to where it was, which Show leads to, and a colleague sees it come back', async (office) => {
  const { page, world, asha, url, browser } = office;
  const form = await withFiles(office);
  const { items } = await world.services.documents.folder(asha.actor, null);
  await world.services.documents.remove(asha.actor, [form, items[1]!.id]);
  const { email, password } = await world.build.colleague(asha.actor);
  const other = await openPage(browser);
  await signIn(other, url, { email, password }, '/dashboard');
  await row(other, 'Bill.pdf');
  await enterDrive(office);
  await page.locator('nav a[href="/trash"]').click();
  await row(page, 'Form 16.pdf');
  await page.waitForFunction(() => !document.querySelector('main astro-island[ssr]'));
  await becomes(async () => (await names(page)).toSorted(), ['Audit.pdf', 'Form 16.pdf']);
  await seen(page, '2 items · 14 B in all');
  await seen(page, 'My Drive / Returns');
  await page.locator('[aria-label="Restore Audit.pdf"]').click();
  await seen(page, "'Audit.pdf' restored");
  await gone(page, 'Audit.pdf');
  await row(other, 'Audit.pdf');
  await page.locator('[data-id][aria-label="Form 16.pdf"] a').click();
  await seen(page, 'It goes back to where it was: My Drive / Returns.');
  await say(page, 'Restore');
  await seen(page, 'Trash is empty');
  assert.is((await restored(office, form)).path, 'Returns');
  await page.locator('[data-sonner-toast][data-front="true"] [data-action]').click();
  await becomes(() => selected(page), ['Form 16.pdf']);
  assert.is(
    await pathOf(page),
    `/dashboard/folder/${(await world.services.documents.item(asha.actor, form)).parent_id}`,
  );
});

test('a taken name is asked about as with a move, and what is chosen can go to another folder', async (office) => {
  const { page, world, asha } = office;
  await withFiles(office);
  const { items } = await world.services.documents.folder(asha.actor, null);
  const [, audit, bill] = items;
  await world.services.documents.remove(asha.actor, [audit!.id, bill!.id]);
  await world.build.file(asha.actor, { name: 'Audit.pdf' });
  await signIn(page, office.url, ASHA, '/trash');
  await page.locator('[aria-label="Restore Audit.pdf"]').click();
  await seen(page, 'Keep both');
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await seen(page, "Its name was taken: it is called 'Audit (2).pdf' now.");
  await gone(page, 'Audit.pdf');
  await pick(page, 'Bill.pdf');
  await becomes(() => selected(page), ['Bill.pdf']);
  await say(page, 'Restore to…');
  await page.locator('[role=dialog] ::-p-text(Returns)').click();
  await say(page, 'Restore to Returns');
  await seen(page, "'Bill.pdf' restored");
  assert.is((await restored(office, bill!.id)).path, 'Returns');
});

test('deleting forever says what it is, from a selection and for all of Trash', async (office) => {
  const { page, world, asha } = office;
  await withFiles(office);
  const { items } = await world.services.documents.folder(asha.actor, null);
  await world.services.documents.remove(
    asha.actor,
    items.map(({ id }) => id),
  );
  await signIn(page, office.url, ASHA, '/storage');
  await seen(page, '21 B of it in Trash');
  assert.ok(await page.$('main a[href="/trash"]'));
  await load(page, `${office.url}/trash`);
  await pick(page, 'Bill.pdf');
  await becomes(() => selected(page), ['Bill.pdf']);
  assert.equal(await violations(page), []);
  await press(page, 'Delete');
  await seen(page, "Delete 'Bill.pdf' forever?");
  await seen(page, 'This action cannot be undone.');
  await say(page, 'Delete forever');
  await seen(page, '1 item deleted forever');
  await gone(page, 'Bill.pdf');
  await page.locator('main ::-p-text(Empty Trash)').click();
  await seen(page, '2 items (14 B) are deleted forever. This action cannot be undone.');
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await seen(page, 'What you delete comes here, and stays for 30 days');
  assert.equal(await violations(page), []);
  assert.is(await world.services.records.used(asha.actor.firmId), 0);
});

test('on a phone the way leads through the menu of the account', async (office) => {
  const { page } = office;
  await withFiles(office);
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await enterDrive(office);
  await page.locator('.topbar button[aria-haspopup]:last-of-type').click();
  await page.locator('[role=menuitem][href="/trash"]').click();
  await seen(page, 'Trash is empty');
});

test('who may not delete has no Trash', async (office) => {
  const { world, asha, url, page } = office;
  const { email, password } = await world.build.colleague(asha.actor, { role: 'viewer' });
  await signIn(page, url, { email, password }, '/dashboard');
  assert.is(await page.$('a[href="/trash"]'), null);
  await load(page, `${url}/trash`);
  await becomes(() => pathOf(page), '/dashboard');
});

test.run();

const without = officeSuite('without trash', { trashDays: 0 });

without('deleting is for ever, and says so', async (office) => {
  const { page, world, asha } = office;
  await withFiles(office);
  await enterDrive(office);
  await press(page, 'Control+a');
  await press(page, 'Delete');
  await seen(page, 'Are you sure you want to delete 3 selected item(s)? This action cannot be undone.');
  await say(page, 'Delete 3 items');
  await seen(page, '3 items deleted');
  assert.is(await world.services.records.used(asha.actor.firmId), 0);
});

without.run();
