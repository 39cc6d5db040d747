import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer';
import { load, signIn } from '#server/testing/browser.ts';
import type { Office } from './office.ts';
import { ASHA } from './office.ts';

/** Signed in, with the drive ready for keys and clicks. */
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

export const rowSelector = (name: string) => `[data-id][aria-label=${JSON.stringify(name)}]`;

export const row = async (page: Page, name: string): Promise<ElementHandle<Element>> =>
  (await page.waitForSelector(rowSelector(name))) as ElementHandle<Element>;

export const waitForRowGone = (page: Page, name: string) =>
  page.waitForSelector(rowSelector(name), { hidden: true });

/** Clicks on a row beside its name, which selects. */
export async function clickRow(page: Page, name: string, button: 'left' | 'right' = 'left'): Promise<void> {
  // A locator looks again when the list is drawn anew under it.
  await page.locator(`${rowSelector(name)} .list-modified`).click({ button });
}

export async function openByName(page: Page, name: string): Promise<void> {
  await page.locator(`${rowSelector(name)} a`).click();
}

/** The names that are drawn, from above. */
export const rowNames = (page: Page): Promise<string[]> =>
  page.$$eval('[data-id]', (rows) => rows.map((one) => one.getAttribute('aria-label') ?? ''));

export const selectedNames = (page: Page): Promise<string[]> =>
  page.$$eval('[data-id][aria-selected="true"]', (rows) =>
    rows.map((one) => one.getAttribute('aria-label') ?? ''),
  );

/** The row that has the focus, by what assistive technology is told. */
export const focusedRow = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant');
    return (id && document.getElementById(id)?.getAttribute('aria-label')) || null;
  });

/** Presses a key with others held: `Control+Shift+A`. */
export async function press(page: Page, combination: string): Promise<void> {
  const keys = combination.split('+');
  const last = keys.pop() ?? '';
  for (const key of keys) await page.keyboard.down(key as 'Control');
  await page.keyboard.press(last as 'A');
  for (const key of keys.toReversed()) await page.keyboard.up(key as 'Control');
}

/** Presses the button that says this: in the dialog or the menu that is open, otherwise on the page. */
export async function clickButton(page: Page, text: string): Promise<void> {
  const wanted = `[starts-with(normalize-space(), ${JSON.stringify(text)})]`;
  const over = '//*[@role="dialog" or @role="alertdialog" or @role="menu"]';
  const paths = [`${over}//*[self::button or @role="menuitem"]${wanted}`, `//button${wanted}[not(${over})]`];
  // A locator waits until what is still opening stands.
  await page.locator(`::-p-xpath(${paths.join(' | ')})`).click();
}

export interface SampleFile {
  name: string;
  content: Buffer | string;
}

/** Chooses files in the upload dialog and starts. */
export async function uploadFiles(page: Page, samples: readonly SampleFile[]): Promise<void> {
  await press(page, 'Control+u');
  await chooseFiles(page, samples);
  await clickButton(page, 'Start Upload');
}

const chosen = new Set<string>();
process.once('exit', () => {
  for (const folder of chosen) rmSync(folder, { recursive: true, force: true });
});

/** @returns where the files are on the disk. */
export async function chooseFiles(page: Page, samples: readonly SampleFile[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'samples-'));
  const paths = samples.map(({ name }) => join(folder, name));
  await Promise.all(samples.map(({ content }, index) => writeFile(paths[index] ?? '', content)));
  const input = await page.waitForSelector('[role="dialog"] input[type="file"]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(...paths);
  await page.waitForSelector('[aria-label="Chosen files"] li');
  // The browser has the files open by path until they are sent.
  chosen.add(folder);
  return paths;
}

/** Takes hold of what stands at `from` with the mouse and carries it over `to`, without letting go. */
export async function startDrag(page: Page, from: string, to: string): Promise<void> {
  const start = await (await page.waitForSelector(from))?.clickablePoint();
  await page.mouse.move(start?.x ?? 0, start?.y ?? 0);
  await page.mouse.down();
  await moveMouseTo(page, to);
}

/** Moves what is carried on. The first move only enters; what may be dropped there is asked by the second. */
export async function moveMouseTo(page: Page, to: string): Promise<void> {
  const end = await (await page.waitForSelector(to))?.clickablePoint();
  for (const step of [6, 3, 0]) await page.mouse.move((end?.x ?? 0) - step, (end?.y ?? 0) - step);
}

/** Lets go over `to`, at once after coming there: a folder that is held over for a second opens. */
export async function dropOn(page: Page, to: string): Promise<void> {
  await page.mouse.move(2, 2);
  await moveMouseTo(page, to);
  await page.mouse.up();
}

/** Until this is marked as the place where what is let go would go. */
export const waitForDropTarget = (page: Page, selector: string) =>
  page.waitForSelector(`${selector}.outline-accent`);
