import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer';
import { load, networkIdle, signIn, TIMEOUT_MS } from '#server/testing/browser.ts';
import type { Office } from './office.ts';
import { ASHA } from './office.ts';

/** Signs in and waits until the drive takes keys and clicks. */
export async function enterDrive(
  { page, url }: Pick<Office, 'page' | 'url'>,
  path = '/dashboard',
): Promise<void> {
  await signIn(page, url, ASHA, path);
  await page.waitForSelector('[data-drive]');
}

export async function visit({ page, url }: Pick<Office, 'page' | 'url'>, path: string): Promise<void> {
  await load(page, url + path);
  await page.waitForSelector('[data-drive]');
}

/** Goes to a screen by a click in the sidebar, which keeps the cache of the tab. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.locator(`.sidebar .nav-link[href="${path}"]`).click();
  await page.waitForFunction(
    (to) => location.pathname === to && !document.querySelector('astro-island[ssr]'),
    {},
    path,
  );
}

export const rowSelector = (name: string) => `[data-id][aria-label=${JSON.stringify(name)}]`;

export const row = async (page: Page, name: string): Promise<ElementHandle<Element>> =>
  (await page.waitForSelector(rowSelector(name))) as ElementHandle<Element>;

export const waitForRowGone = (page: Page, name: string) =>
  page.waitForSelector(rowSelector(name), { hidden: true });

/** Clicks on a row beside its name, which selects. */
export async function clickRow(page: Page, name: string, button: 'left' | 'right' = 'left'): Promise<void> {
  // A locator finds the row again when the list is drawn anew.
  await page.locator(`${rowSelector(name)} .list-modified`).click({ button });
}

export async function openByName(page: Page, name: string): Promise<void> {
  await page.locator(`${rowSelector(name)} a`).click();
}

/** The names of the rows that are drawn, from the top. */
export const rowNames = (page: Page): Promise<string[]> =>
  page.$$eval('[data-id]', (rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));

export const selectedNames = (page: Page): Promise<string[]> =>
  page.$$eval('[data-id][aria-selected="true"]', (rows) =>
    rows.map((row) => row.getAttribute('aria-label') ?? ''),
  );

/** The name of the focused row, from `aria-activedescendant`. */
export const focusedRow = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant');
    return (id && document.getElementById(id)?.getAttribute('aria-label')) || null;
  });

/** Presses a key combination, such as `Control+Shift+A`. */
export async function press(page: Page, combination: string): Promise<void> {
  const keys = combination.split('+');
  const last = keys.pop() ?? '';
  for (const key of keys) await page.keyboard.down(key as 'Control');
  await page.keyboard.press(last as 'A');
  for (const key of keys.toReversed()) await page.keyboard.up(key as 'Control');
}

/** Clicks the button or menu item with this text: in the open dialog or menu, otherwise on the page. */
export async function clickButton(page: Page, text: string): Promise<void> {
  const wanted = `[starts-with(normalize-space(), ${JSON.stringify(text)})]`;
  const overlay = '//*[@role="dialog" or @role="alertdialog" or @role="menu"]';
  const paths = [
    `${overlay}//*[self::button or @role="menuitem"]${wanted}`,
    `//button${wanted}[not(${overlay})]`,
  ];
  // A locator waits until the overlay no longer moves.
  await page.locator(`::-p-xpath(${paths.join(' | ')})`).click();
}

interface SampleFile {
  name: string;
  content: Buffer | string;
}

/**
 * Chooses an entry of a menu in the details, which may lie below what is seen of them. A part of the details that comes late moves the
 * others, and an open menu closes when what it belongs to is scrolled: then it is opened again, as a person would.
 * @param shown what the entry shows, without which it is chosen again: a click may meet a menu that is closing.
 */
export async function chooseInDetails(
  page: Page,
  trigger: string,
  text: string,
  shown?: string,
): Promise<void> {
  await page.waitForSelector(trigger);
  await page.$eval(trigger, (element) => element.scrollIntoView({ block: 'center' }));
  await networkIdle(page, { idle: 300 });
  let isChosen = false;
  for (const end = Date.now() + TIMEOUT_MS; !isChosen && Date.now() < end;) {
    await page.locator(trigger).click();
    const entry = page.locator(`[role=menuitem] ::-p-text(${text})`).setTimeout(5000);
    isChosen = await entry
      .click()
      .then(() => (shown ? page.waitForSelector(shown, { timeout: 5000 }) : null))
      .then(
        () => true,
        () => false,
      );
  }
  if (!isChosen) throw new Error(`The menu ${trigger} has no entry ${text}`);
}

/** Chooses files in the upload dialog and starts the upload. */
export async function uploadFiles(page: Page, samples: readonly SampleFile[]): Promise<void> {
  await press(page, 'Control+u');
  await chooseFiles(page, samples);
  await clickButton(page, 'Start Upload');
}

const folders = new Set<string>();
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** @returns where the files are on the disk. */
export async function chooseFiles(page: Page, samples: readonly SampleFile[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'samples-'));
  const paths = samples.map(({ name }) => join(folder, name));
  await Promise.all(samples.map(({ content }, index) => writeFile(paths[index] ?? '', content)));
  const input = await page.waitForSelector('[role="dialog"] input[type="file"]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(...paths);
  await page.waitForSelector('[aria-label="Chosen files"] li');
  // Deleted at the end only: the browser reads the files by path until they are sent.
  folders.add(folder);
  return paths;
}

/** Drags the element `from` over the element `to` with the mouse, without dropping it. */
export async function startDrag(page: Page, from: string, to: string): Promise<void> {
  const start = await (await page.waitForSelector(from))?.clickablePoint();
  await page.mouse.move(start?.x ?? 0, start?.y ?? 0);
  await page.mouse.down();
  await moveMouseTo(page, to);
}

/** Moves a dragged element. Several steps, since the browser sends `dragenter` first and `dragover` with the next move. */
export async function moveMouseTo(page: Page, to: string): Promise<void> {
  const end = await (await page.waitForSelector(to))?.clickablePoint();
  for (const step of [6, 3, 0]) await page.mouse.move((end?.x ?? 0) - step, (end?.y ?? 0) - step);
}

/** Drops on `to` immediately after arriving there, since a folder opens under an element that is held over it for a second. */
export async function dropOn(page: Page, to: string): Promise<void> {
  await page.mouse.move(2, 2);
  await moveMouseTo(page, to);
  await page.mouse.up();
}

/** Waits until the element is marked as the drop target. */
export const waitForDropTarget = (page: Page, selector: string) =>
  page.waitForSelector(`${selector}.outline-accent`);
