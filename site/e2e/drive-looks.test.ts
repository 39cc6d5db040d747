import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { enterDrive, openByName, clickRow, press, row, visit } from './drive.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite, waitForText } from './office.ts';
import { tap } from './quick.ts';
import { pdf, png } from './samples.ts';

const test = officeSuite('accessibility and touch in the drive');

async function withFiles(office: Office): Promise<void> {
  const { world, asha } = office;
  const client = await world.build.client(asha.actor, 'Sharma Traders');
  await world.build.folder(asha.actor, 'GSTR-3B');
  await world.build.folder(asha.actor, 'Empty');
  await world.build.file(asha.actor, { name: 'Form 16.pdf', content: pdf(2), client_id: client });
  await world.build.file(asha.actor, { name: 'Photo.png', content: png() });
  await world.build.file(asha.actor, { name: `${'A very long name '.repeat(12)}.docx` });
  await world.build.file(asha.actor, { name: 'आयकर विवरण.pdf' });
}

test('axe finds nothing wrong with the list, the grid, the dialogs and the previews', async (office) => {
  const { page } = office;
  await withFiles(office);
  await enterDrive(office);
  const check = async (state: string) => assert.equal(await violations(page), [], state);
  await check('list');
  await clickRow(page, 'Form 16.pdf');
  await check('selection');
  await press(page, 'F2');
  await page.waitForSelector('[role="dialog"] input');
  await check('rename');
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await press(page, 'Delete');
  await page.waitForSelector('[role="alertdialog"]');
  await check('delete');
  await press(page, 'Escape');
  await page.waitForSelector('[role="alertdialog"]', { hidden: true });
  await press(page, 'Control+u');
  await page.waitForSelector('[role="dialog"] input[type="file"]');
  await check('upload');
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await page.locator('[aria-label="Clear the selection"]').click();
  await page.locator('[aria-label="Grid"]').click();
  await page.waitForSelector('.item-tiles');
  await check('grid');
  await openByName(page, 'Photo.png');
  await page.waitForSelector('.viewer-image');
  await check('image');
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await openByName(page, 'Form 16.pdf');
  await page.waitForSelector('[data-page="1"] canvas');
  await check('pdf');
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await openByName(page, 'Empty');
  await waitForText(page, 'Folder is empty');
  await check('empty');
});

test('on a phone nothing is wider than the screen, and buttons are at least 44 px large', async (office) => {
  const { page } = office;
  await withFiles(office);
  await enterDrive(office);
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await visit(office, '/dashboard');
  const { scrollWidth, small } = await page.evaluate(() => {
    const buttons = [
      ...document.querySelectorAll<HTMLElement>('[data-drive] button, [data-drive] [data-id]'),
    ];
    const rectOf = (element: HTMLElement) => element.getBoundingClientRect();
    const tooSmall = buttons.filter(
      (button) => button.checkVisibility() && (rectOf(button).height < 44 || rectOf(button).width < 44),
    );
    return {
      scrollWidth: document.documentElement.scrollWidth,
      small: tooSmall.map((button) => button.outerHTML.slice(0, 120)),
    };
  });
  assert.is(scrollWidth, 390);
  assert.equal(small, []);
});

test('a printed list has all its rows and nothing of the frame, since paper cannot be scrolled', async (office) => {
  const { page, world, asha } = office;
  for (let nth = 1; nth <= 120; nth += 1) await world.build.file(asha.actor, { name: `Bill ${nth}.pdf` });
  await enterDrive(office);
  await row(page, 'Bill 1.pdf');
  await page.evaluate(() =>
    window.addEventListener('beforeprint', () => {
      Object.assign(window, { printed: document.querySelectorAll('[data-id]').length });
    }),
  );
  const pdf = Buffer.from(await page.pdf({ format: 'A4' })).toString('latin1');
  const printed = await page.evaluate(() => (window as unknown as { printed: number }).printed);
  assert.is(printed, 120);
  assert.ok((pdf.match(/\/Type \/Page\b/g) ?? []).length > 2, 'more than one page');
  await page.waitForFunction(() => document.querySelectorAll('[data-id]').length < 120);
  await page.emulateMediaType('print');
  const frame = ['.sidebar', '.topbar', '.screen-bar'];
  const shown = await page.evaluate(
    (all) => all.filter((part) => document.querySelector(part)?.checkVisibility()),
    frame,
  );
  assert.equal(shown, []);
});

test('on a touch screen a tap opens an item, and a long press selects it', async (office) => {
  const { page } = office;
  await withFiles(office);
  await enterDrive(office);
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await visit(office, '/dashboard');
  const box = await (await row(page, 'GSTR-3B')).boundingBox();
  assert.ok(box);
  const [x, y] = [box.x + 120, box.y + box.height / 2];
  const finger = await page.touchscreen.touchStart(x, y);
  await waitForText(page, '1 selected');
  await finger.end();
  assert.is(new URL(page.url()).pathname, '/dashboard');
  await tap(page, x, y);
  await page.waitForFunction(() => !document.querySelector('[data-id][aria-selected="true"]'));
  await page.tap('[aria-label="Clear the selection"]');
  await page.waitForSelector('[aria-label="Clear the selection"]', { hidden: true });
  await tap(page, x, y);
  await waitForText(page, 'Folder is empty');
});

test('on a phone the folder above is legible, which those further up would squeeze to a letter', async (office) => {
  const { page, world, asha, url } = office;
  const folder = (name: string, parent_id: number | null = null) =>
    world.build.folder(asha.actor, name, parent_id);
  const top = await folder('Meera Iyer');
  const above = await folder('Income tax papers', top.id);
  const { id } = await folder('ITR, salaried, FY 2025-26', above.id);
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await signIn(page, url, ASHA, `/dashboard/folder/${id}`);
  const widths = await page.$$eval('nav[aria-label=Breadcrumbs] li', (crumbs) =>
    crumbs.map((crumb) => crumb.clientWidth),
  );
  assert.equal(widths.slice(0, 2), [0, 0], 'there is no room for those further up');
  assert.ok(widths[2]! > 60, `${widths[2]} px`);
});

test.run();
