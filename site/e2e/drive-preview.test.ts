import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import {
  clickButton,
  enterDrive,
  focusedRow,
  openByName,
  press,
  rowSelector,
  waitForRowGone,
} from './drive.ts';
import type { Office } from './office.ts';
import { waitForValue, officeSuite, pathOf, waitForText, textOf } from './office.ts';
import { tap } from './quick.ts';
import { pdf, png } from './samples.ts';

const test = officeSuite('drive preview');

/** Waits until the picture is zoomed and rotated as wanted. */
const waitForTransform = ({ page }: Office, transform: string) =>
  page.waitForFunction(
    (wanted) => document.querySelector<HTMLElement>('.viewer-image')?.style.transform.includes(wanted),
    {},
    transform,
  );
const titleOf = (office: Office) => textOf(office.page, '[role="dialog"] h2');
const waitForPicture = (office: Office) =>
  office.page.waitForFunction(
    () =>
      getComputedStyle(document.querySelector('.viewer-image') ?? document.body).visibility === 'visible' &&
      document.querySelector('.viewer-image'),
  );

async function withFiles(office: Office): Promise<void> {
  const { world, asha } = office;
  await world.build.file(asha.actor, { name: '1 Photo.png', content: png() });
  await world.build.file(asha.actor, { name: '2 Scan.png', content: png(100, 400) });
  await world.build.file(asha.actor, { name: '3 Form 16.pdf', content: pdf(3) });
  await world.build.file(asha.actor, { name: '4 Letter.doc', content: 'x' });
  await enterDrive(office);
}

test('a picture is zoomed by keys, wheel and pinch within limits, and rotated by right angles', async (office) => {
  const { page } = office;
  await withFiles(office);
  await openByName(page, '1 Photo.png');
  await waitForPicture(office);
  for (let press = 0; press < 12; press += 1) await page.keyboard.press('+');
  await waitForTransform(office, 'scale(3)');
  for (let press = 0; press < 20; press += 1) await page.keyboard.press('-');
  await waitForTransform(office, 'scale(0.25)');
  await page.locator('[aria-label="Rotate right"]').click();
  await waitForTransform(office, 'rotate(90deg)');
  await page.mouse.move(680, 400);
  await page.mouse.wheel({ deltaY: -100 });
  await waitForTransform(office, 'scale(0.5)');

  // Two fingers spread from a distance of 100 pixels to 400.
  const [left, right] = [
    await page.touchscreen.touchStart(630, 300),
    await page.touchscreen.touchStart(730, 300),
  ];
  await left.move(480, 300);
  await right.move(880, 300);
  await left.end();
  await right.end();
  await waitForTransform(office, 'scale(2)');
  await tap(page, 680, 300, 2);
  await waitForTransform(office, 'translate(0px, 0px) scale(1) rotate(90deg)');
});

test('the arrow keys go through the files in the order of the list, and Back closes the preview', async (office) => {
  const { page } = office;
  await withFiles(office);
  await openByName(page, '1 Photo.png');
  await waitForPicture(office);
  assert.match(await titleOf(office), '1 Photo.png');
  assert.match(pathOf(page), /^\/dashboard\?preview=\d+$/);
  await press(page, 'ArrowRight');
  await waitForText(page, '2 of 4');
  await press(page, 'ArrowRight');
  await page.waitForSelector('[data-page="1"] canvas');
  await press(page, 'ArrowRight');
  await waitForText(page, 'This file type cannot be previewed');
  await press(page, 'ArrowLeft');
  await press(page, 'ArrowLeft');
  await waitForText(page, '2 of 4');
  await page.goBack();
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await waitForValue(() => pathOf(page), '/dashboard');
  await page.waitForSelector('[data-id][aria-label="2 Scan.png"][aria-selected="true"]');
});

test('the address of a preview can be opened by itself, and Esc leads to its folder', async (office) => {
  const { page, url, world, asha } = office;
  const file = await world.build.file(asha.actor, { name: 'Form 16.pdf', content: pdf(1) });
  await enterDrive(office);
  await load(page, `${url}/dashboard?preview=${file.id}1`);
  await waitForText(page, 'This file is not here');
  await press(page, 'ArrowRight');
  assert.ok(pathOf(page).endsWith(`preview=${file.id}1`), 'no file comes after one that is not there');
  await load(page, `${url}/dashboard?preview=${file.id}`);
  await page.waitForSelector('[data-page="1"] canvas');
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await waitForValue(() => pathOf(page), '/dashboard');
});

test('a file is moved and shared from its preview, which closes once the file has left the list', async (office) => {
  const { page, world, asha } = office;
  await world.build.folder(asha.actor, 'Archive');
  await withFiles(office);
  await openByName(page, '2 Scan.png');
  await waitForPicture(office);
  await page.locator('[role="dialog"] button[aria-label="Share..."]').click();
  await waitForText(page, 'Share “2 Scan.png”');
  await press(page, 'Escape');
  await page.locator('[role="dialog"] button[aria-label="More actions"]').click();
  await clickButton(page, 'Move to...');
  await clickButton(page, 'Archive');
  await clickButton(page, 'Move to Archive');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await waitForValue(() => pathOf(page), '/dashboard');
  await waitForRowGone(page, '2 Scan.png');
});

test('a PDF that a double click has opened scrolls by keys, Ctrl+F finds words on all its pages, and Esc closes the search and then the preview, with the focus on the file', async (office) => {
  const { page } = office;
  await withFiles(office);
  await page.locator(`${rowSelector('3 Form 16.pdf')} a`).click({ count: 2 });
  await page.waitForSelector('[data-page="1"] canvas');
  const top = () => page.$eval('.pdf-pages', (pages) => pages.scrollTop);
  assert.is(await top(), 0, 'fitted to the width, the PDF starts at its top');
  await press(page, 'PageDown');
  assert.ok((await top()) > 200);
  await press(page, 'Control+f');
  await page.waitForSelector('[role="search"] input[aria-label="Find in the document"]');
  await page.keyboard.type('DEDUCTED at source');
  await waitForText(page, '1 of 3');
  const accessible = JSON.stringify(await page.accessibility.snapshot());
  assert.match(accessible, 'Tax deducted at source', 'screen readers read the pages');
  await press(page, 'Enter');
  await waitForText(page, '2 of 3');
  await press(page, 'Escape');
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  assert.is(
    pathOf(page),
    '/dashboard',
    'Esc closed the search, then the preview, and did not leave the folder',
  );
  await waitForValue(() => focusedRow(page), '3 Form 16.pdf');
});

const pageShape = ({ page }: Office, number: number) =>
  page.$eval(`[data-page="${number}"]`, (sheet) =>
    sheet.clientWidth > sheet.clientHeight ? 'wide' : 'tall',
  );

test('R rotates all pages of a PDF with their text, in which words are found, and the page that is read stays in view', async (office) => {
  const { page } = office;
  await withFiles(office);
  await openByName(page, '3 Form 16.pdf');
  await page.waitForSelector('[data-page="1"] canvas');
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('+');
  await page.$eval('[data-page="2"]', (second) =>
    second.scrollIntoView({ block: 'center', inline: 'center' }),
  );
  await press(page, 'r');
  await waitForValue(() => pageShape(office, 1), 'wide', 'all pages together');
  await waitForValue(() => pageShape(office, 3), 'wide');
  const fromMiddle = await page.evaluate(() => {
    const [room, sheet] = ['[data-pages]', '[data-page="2"]'].map((selector) =>
      document.querySelector(selector)!.getBoundingClientRect(),
    );
    return room!.top + room!.height / 2 - sheet!.top - sheet!.height / 2;
  });
  assert.ok(Math.abs(fromMiddle) < 20, `what was in the middle is there: ${fromMiddle}`);
  await press(page, '0');
  await press(page, 'Control+f');
  await page.waitForSelector('[role="search"] input');
  await page.keyboard.type('page 2');
  await waitForText(page, '1 of 1');
  // The top left of the upright page is the top right of the rotated one.
  await page.waitForFunction(() => {
    const [range] = CSS.highlights.get('pdf-found-now') ?? [];
    if (!range) return false;
    const word = (range as Range).getBoundingClientRect();
    const sheet = document.querySelector('[data-page="2"]')!.getBoundingClientRect();
    const [x, y] = [(word.left - sheet.left) / sheet.width, (word.top - sheet.top) / sheet.height];
    return word.height > word.width && x > 0.85 && x < 1 && y > 0.1 && y < 0.4 && word.bottom < innerHeight;
  });
  await press(page, 'Escape');
  await page.keyboard.press('R');
  await waitForValue(() => pageShape(office, 1), 'tall');
  await page.locator('[role="toolbar"] [aria-label="Rotate left"]').click();
  await page.waitForSelector('[data-page="3"] [data-main-rotation="270"]');

  // This loads the page again.
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await page.waitForSelector('[data-page="2"] [data-main-rotation="0"]');
  await page.locator('[role="toolbar"] [aria-label="View options"]').click();
  await clickButton(page, 'Rotate right');
  await waitForValue(() => pageShape(office, 2), 'wide', 'where the bar has no room for the buttons');
});

test('pages with the name of the viewer are rotated as well', async (office) => {
  const { page, world, asha } = office;
  await withFiles(office);
  await world
    .db('users')
    .where({ id: asha.actor.userId })
    .update({ role: 'viewer', permissions_taken: JSON.stringify(['documents.download']) });
  await load(page, page.url());
  await openByName(page, '3 Form 16.pdf');
  await page.waitForSelector('[data-page="1"] img');
  assert.is(await pageShape(office, 1), 'tall');
  await page.locator('[aria-label="Rotate right"]').click();
  await waitForValue(() => pageShape(office, 1), 'wide');
  await press(page, 'R');
  await waitForValue(() => pageShape(office, 3), 'tall');
});

test('a PDF stays at its page when the user comes back to the tab after some minutes, although its link has aged', async (office) => {
  const { page } = office;
  await withFiles(office);
  await openByName(page, '3 Form 16.pdf');
  await page.waitForSelector('[data-page="1"] canvas');
  await page.$eval('[data-page="3"]', (last) => last.scrollIntoView());
  const top = await page.$eval('.pdf-pages', (pages) => pages.scrollTop);
  assert.ok(top > 0);
  const links: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('download-token')) links.push(request.url());
  });
  const refreshed = page.waitForRequest((request) => request.url().includes('/api/documents?'));
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now.call(Date) + 400_000;
    dispatchEvent(new Event('visibilitychange'));
  });
  await refreshed;
  assert.equal(links, [], 'the list is loaded again, the link is not');
  assert.is(await page.$eval('.pdf-pages', (pages) => pages.scrollTop), top);
});

test('scrolling, printing and closing a PDF while its pages are drawn causes no errors', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Ledger.pdf', content: pdf(200) });
  await enterDrive(office);
  await openByName(page, 'Ledger.pdf');
  await page.waitForSelector('[data-page="1"] canvas');
  await page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame += 1) {
      document.querySelector('[data-pages]')!.scrollTop += 1500;
      await new Promise(requestAnimationFrame);
    }
  });
  await page.locator('[aria-label="Print"]').click();
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await page.waitForNetworkIdle({ idleTime: 150 });
});

test('a file that cannot be read says so, and offers Download, and Retry if that may help', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Broken.jpg', content: 'not a picture' });
  await world.build.file(asha.actor, { name: 'Broken.pdf', content: 'not a document' });
  await enterDrive(office);
  await openByName(page, 'Broken.jpg');
  await waitForText(page, 'Failed to load image');
  await clickButton(page, 'Retry');
  await waitForText(page, 'Failed to load image');
  await press(page, 'ArrowRight');
  await waitForText(page, 'This PDF is damaged');
  assert.is(await page.$('.preview-layer [role=alert] ::-p-text(Retry)'), null);
  await clickButton(page, 'Download');
});

test('deleting a file in the preview leads on to the next file', async (office) => {
  const { page } = office;
  await withFiles(office);
  await openByName(page, '1 Photo.png');
  await waitForPicture(office);
  await press(page, 'Delete');
  await page.waitForSelector('[role="alertdialog"]');
  await page.evaluate(() =>
    new MutationObserver(() => {
      if (document.body.textContent.includes('This file is not here')) document.body.dataset.saidGone = '';
    }).observe(document.body, { subtree: true, childList: true }),
  );
  await clickButton(page, 'Delete “1 Photo.png”');
  await waitForText(page, '1 of 3');
  assert.match(await titleOf(office), '2 Scan.png');
  assert.is(await page.$('[data-said-gone]'), null, 'the deleted file is not reported as missing');
});

test.run();
