import * as assert from 'uvu/assert';
import { forge } from '#server/archive/read/testing/forge.ts';
import { docx, paragraph, run } from '#server/previews/testing/office.ts';
import { pdf } from '#server/tools/samples.ts';
import { openPage, signIn } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { openByName, pick, press, row } from './drive.ts';
import type { Office } from './office.ts';
import { officeSuite, seen } from './office.ts';

interface Looking extends Office {
  /** Ravi's, who may only look. */
  his: WatchedPage;
}
const test = officeSuite<Looking>('one who may only look');
test.before.each(async (office) => {
  const { world, asha, url, browser } = office;
  const ravi = await world.build.colleague(asha.actor, { name: 'Ravi Kumar', role: 'manager' });
  await world.services.team.change(asha.actor, ravi.actor.userId, { taken: ['documents.download'] });
  const client_id = await world.build.client(asha.actor);
  const add = (name: string, content: Buffer | string) =>
    world.build.file(asha.actor, { name, content, client_id });
  await add('1 Deed.pdf', pdf(Array.from({ length: 12 }, (_, n) => [`Page ${n + 1} of the deed`])));
  await add('2 Notice.docx', docx(paragraph(run('Notice under section 143(2)'))));
  await add('3 Film.mp4', 'x');
  await add('4 Papers.zip', forge([{ name: 'inside.txt', data: Buffer.from('a') }]));
  office.his = await openPage(browser, { width: 1366, height: 768 });
  await signIn(office.his, url, ravi, '/dashboard');
  await office.his.waitForSelector('[data-drive]');
});

/** Pages that are drawn, by number. */
const come = (page: WatchedPage) =>
  page.$$eval('[data-page] img', (images) =>
    images.filter((one) => one.complete && one.naturalWidth > 0).map(({ alt }) => alt),
  );
const drawn = (page: WatchedPage, number: number) =>
  page.waitForFunction(
    (at) => {
      const image = document.querySelector<HTMLImageElement>(`[data-page="${at}"] img`);
      return image?.complete && image.naturalWidth > 0;
    },
    {},
    number,
  );
/** Controls that can be seen and lead to the bytes of a file. */
const waysOut = (page: WatchedPage) =>
  page.$$eval('button, a, [role="menuitem"]', (all) =>
    all
      .filter((one) => one.checkVisibility())
      .map((one) => one.getAttribute('aria-label') ?? one.textContent ?? '')
      .filter((text) => /download|print|extract|export|new tab/i.test(text)),
  );

test('a PDF is shown page by page as pictures, larger and smaller, and comes as it is scrolled', async ({
  his,
}) => {
  const asked: string[] = [];
  his.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await openByName(his, '1 Deed.pdf');
  await drawn(his, 1);
  assert.not((await come(his)).includes('Page 12'), 'only what is near the eye is asked for');
  const width = () => his.$eval('[data-page="1"]', (page) => page.clientWidth);
  const before = await width();
  await press(his, '=');
  await his.waitForFunction(
    (was) => document.querySelector('[data-page="1"]')!.clientWidth > was,
    {},
    before,
  );
  await press(his, '0');
  await press(his, 'End');
  await drawn(his, 12);
  assert.is(
    await his.$eval('[aria-label="Page, of 12"]', (field) => (field as HTMLInputElement).value),
    '12',
  );
  assert.equal(await waysOut(his), []);
  assert.equal(await violations(his), []);
  assert.ok(!asked.some((path) => /^\/api.*(?:content|token|view)/.test(path)), 'nothing else was asked for');

  await press(his, 'ArrowRight');
  await seen(his, '2 Notice.docx');
  await drawn(his, 1);
  await press(his, 'ArrowRight');
  await seen(his, "This type can't be viewed without download permission. Ask your admin.");
  await press(his, 'ArrowRight');
  await his.waitForSelector('::-p-text(inside.txt)');
  assert.equal(await waysOut(his), [], 'an archive shows what it holds, and gives nothing');
  assert.equal(his.faults, []);
});

test('nothing on any screen offers to download, also on a phone', async ({ his, url }) => {
  await row(his, '1 Deed.pdf');
  await pick(his, '4 Papers.zip', 'right');
  await his.waitForSelector('[role="menu"]');
  assert.equal(await waysOut(his), [], 'the menu of an item');
  await press(his, 'Escape');
  await pick(his, '1 Deed.pdf');
  await his.waitForSelector('[role="toolbar"][aria-label="Selection"]');
  assert.equal(await waysOut(his), [], 'what is selected');
  for (const path of ['/documents', '/recent', '/clients']) {
    const went = await his.goto(url + path);
    assert.is(went?.status(), 200, path);
    await his.waitForSelector('main');
    assert.equal(await waysOut(his), [], path);
  }
  await his.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await his.goto(`${url}/dashboard`);
  await openByName(his, '1 Deed.pdf');
  await drawn(his, 1);
  const page = await his.$eval('[data-page="1"]', (one) => one.getBoundingClientRect().toJSON());
  assert.ok(page.left >= 0 && page.right <= 390, 'a page is as wide as the phone');
  await his.locator('[aria-label="More actions"]').click();
  await his.waitForSelector('[role="menu"]');
  assert.equal(await waysOut(his), []);
});

test.run();
