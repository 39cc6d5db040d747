import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Browser, Page } from 'puppeteer';
import { builtSite, openBrowser, openPage, signIn } from '#server/testing/browser.ts';
import { PASSWORD } from '#server/testing/build.ts';
import { freshWorld } from '#server/testing/world.ts';
import { computation } from './computation.ts';
import { fillDemoOffice } from './demo-office.ts';
import { preferTheme } from './axe.ts';
import type { Theme } from './axe.ts';

// `node site/e2e/screenshots.ts` takes the screenshots of the landing page, in both themes, and of the README.

const OUT = join(import.meta.dirname, '../assets/landing');
const README = join(import.meta.dirname, '../assets/screenshot.png') as `${string}.png`;
const EMAIL = 'asha@rao.example.in';

/** Takes a screenshot after animations have ended and without a focus ring. */
async function captureStill(page: Page, name: string, theme: Theme | null): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await new Promise((resolve) => setTimeout(resolve, 500));
  await saveScreenshot(page, theme ? `${name}-${theme}` : name);
}

/** Saves it twice: for large screens, and at three fifths of the size for small ones. */
async function saveScreenshot(page: Page, name: string): Promise<void> {
  const picture = await loadImage(Buffer.from(await page.screenshot({ type: 'png' })));
  for (const [suffix, scale] of [
    ['', 1],
    ['-small', 0.6],
  ] as const) {
    const canvas = createCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    await writeFile(
      join(OUT, `${name}${suffix}.avif`),
      await canvas.encode('avif', { quality: 58, speed: 5 }),
    );
  }
}

async function visit(browser: Browser, url: string, theme: Theme, ids: { year: number; pdf: number }) {
  const page = await openPage(browser, { width: 1120, height: 700 });
  await page.setViewport({ width: 1120, height: 700, deviceScaleFactor: 1.5 });
  await preferTheme(page, theme);
  await page.evaluateOnNewDocument(`try { localStorage.setItem('sidebar', 'open') } catch {}`);
  await signIn(page, url, { email: EMAIL, password: PASSWORD });
  const open = (path: string) => page.goto(url + path, { waitUntil: 'networkidle2' });
  await open('/dashboard');
  await page.waitForFunction(() => !document.querySelector('[data-sonner-toast]'));
  await captureStill(page, 'drive', theme);
  await open(`/dashboard/folder/${ids.year}?preview=${ids.pdf}`);
  await page.waitForSelector('canvas');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  // The preview is dark in both themes.
  await captureStill(page, 'preview', null);
  await open('/dashboard');
  await page.type('.global-search', 'form 16');
  await page.waitForFunction(() => document.querySelectorAll('[role=option]').length > 4);
  await new Promise((resolve) => setTimeout(resolve, 400));
  await saveScreenshot(page, `search-${theme}`);
  await page.setViewport({ width: 360, height: 720, deviceScaleFactor: 2 });
  await open(`/dashboard/folder/${ids.year}`);
  await captureStill(page, 'phone', theme);
  if (theme === 'light') {
    await page.setViewport({ width: 1366, height: 768 });
    await open('/dashboard');
    await page.screenshot({ path: README });
  }
  await page.browserContext().close();
}

await mkdir(OUT, { recursive: true });
const browser = await openBrowser();
const world = await freshWorld({ abuseLimits: false });
try {
  const { actor } = await world.build.account({
    email: EMAIL,
    name: 'Asha Rao',
    firm_name: 'Rao & Associates',
  });
  const ids = await fillDemoOffice(world, actor, await computation(browser));
  const url = await world.serve({ site: await builtSite() });
  for (const theme of ['light', 'dark'] as const) await visit(browser, url, theme, ids);
} finally {
  await browser.close();
  await world.close();
}
process.exit();
