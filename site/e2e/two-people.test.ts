import * as assert from 'uvu/assert';
import type { WatchedPage } from '#server/testing/browser.ts';
import { openPage, signIn } from '#server/testing/browser.ts';
import { enterDrive, pick, press, row, selected } from './drive.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite } from './office.ts';

interface Two extends Office {
  ravi: Awaited<ReturnType<Office['world']['build']['colleague']>>;
  /** Ravi's, in a browser of his own. */
  his: WatchedPage;
}
const test = officeSuite<Two>('two people at once');
test.before.each(async (office) => {
  office.ravi = await office.world.build.colleague(office.asha.actor, {
    name: 'Ravi Kumar',
    role: 'manager',
  });
  office.his = await openPage(office.browser);
});

/** The tab listens: what is changed from now on reaches it. */
const listening = async ({ world }: Office, count = 1): Promise<void> => {
  for (const end = Date.now() + 20_000; world.services.events.open() < count && Date.now() < end;)
    await new Promise((next) => setTimeout(next, 10));
  assert.is(world.services.events.open(), count);
};
const inTime = { timeout: 2000 };

test('what a colleague adds, renames and deletes shows by itself, with selection and scroll as they were', async (office) => {
  const { page, his, url, ravi, world, asha } = office;
  const made = [];
  for (let n = 10; n < 60; n += 1) made.push(await world.build.file(asha.actor, { name: `scan ${n}.pdf` }));
  await enterDrive(office);
  await signIn(his, url, ravi);
  await his.waitForSelector('[data-drive]');
  await listening(office, 2);
  await pick(page, 'scan 12.pdf');
  const scrolled = await page.$eval('[data-scroller]', (list) => (list.scrollTop = 120));

  await press(his, 'Alt+n');
  await his.waitForSelector('[role="dialog"] input');
  await his.keyboard.type('GST returns');
  await his.keyboard.press('Enter');
  await his.waitForSelector('[aria-label="GST returns"]');
  await world.services.documents.rename(ravi.actor, made[3]!.id, { name: 'scan 13 signed.pdf' });
  await page.waitForSelector('[aria-label="scan 13 signed.pdf"]', inTime);
  await world.services.documents.remove(ravi.actor, [made[5]!.id]);
  await page.waitForSelector('[aria-label="scan 15.pdf"]', { ...inTime, hidden: true });
  assert.equal(await selected(page), ['scan 12.pdf']);
  assert.is(await page.$eval('[data-scroller]', (list) => list.scrollTop), scrolled);
});

test('clients, the page of a client and documents change under the eyes of who looks at them', async (office) => {
  const { page, url, ravi, world } = office;
  const id = await world.build.client(ravi.actor, 'Sharma Traders');
  await signIn(page, url, ASHA, '/clients');
  await listening(office);
  await world.build.client(ravi.actor, 'Verma Mills');
  await page.waitForFunction(() => document.body.innerText.includes('Verma Mills'), inTime);
  await signIn(page, url, ASHA, `/clients/${id}`);
  await listening(office);
  await world.build.file(ravi.actor, { name: 'Balance sheet.pdf', client_id: id });
  await page.waitForFunction(() => document.body.innerText.includes('Balance sheet.pdf'), inTime);
  await signIn(page, url, ASHA, '/documents');
  await listening(office);
  await world.build.file(ravi.actor, { name: 'Audit report.pdf' });
  await page.waitForSelector('[aria-label="Audit report.pdf"]', inTime);
});

test('a dialog in which a name is being typed stays as it is while the list changes under it', async (office) => {
  const { page, ravi, world, asha } = office;
  const file = await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  await enterDrive(office);
  await listening(office);
  await pick(page, 'Form 16.pdf');
  await press(page, 'F2');
  await page.waitForSelector('[role="dialog"] input');
  await page.keyboard.type('Form 16 final');
  await world.build.file(ravi.actor, { name: 'Another.pdf' });
  await page.waitForFunction(() => document.body.textContent?.includes('Another.pdf'), inTime);
  const value = await page.$eval('[role="dialog"] input', (input) => (input as HTMLInputElement).value);
  assert.is(value, 'Form 16 final.pdf');
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
  await page.keyboard.press('Enter');
  await row(page, 'Form 16 final.pdf');
  assert.is((await world.services.documents.item(asha.actor, file.id)).name, 'Form 16 final.pdf');
});

test.run();
