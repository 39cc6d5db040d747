import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Browser, Page } from 'puppeteer';
import type { Actor } from '#server/auth/contract.ts';
import { builtSite, openBrowser, openPage, signIn } from '#server/testing/browser.ts';
import { PASSWORD } from '#server/testing/build.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { computation } from './computation.ts';
import { prefer } from './axe.ts';
import type { Theme } from './axe.ts';

// `node site/e2e/screenshots.ts`: takes the landing page's pictures of the product from the product, in both themes,
// and the README's.

const OUT = join(import.meta.dirname, '../assets/landing');
const README = join(import.meta.dirname, '../assets/screenshot.png') as `${string}.png`;
const EMAIL = 'asha@rao.example.in';
const HOUR = 60 * 60_000;
const KB = 1024;

const CLIENTS = [
  ['Sharma Traders', 'Company', 'Pune', '27AAPFS1234A1ZX'],
  ['Meera Iyer', 'Individual', 'Chennai', ''],
  ['Bharat Exports LLP', 'Company', 'Surat', ''],
  ['Dr Nikhil Kulkarni', 'Individual', 'Nashik', ''],
  ['Gupta & Sons', 'Company', 'Indore', ''],
  ['Fatima Shaikh', 'Individual', 'Mumbai', ''],
] as const;

async function furnish(world: World, actor: Actor, pdf: Buffer): Promise<{ year: number; pdf: number }> {
  const { build, services, pass } = world;
  const put = async (
    parent_id: number | null,
    name: string,
    size: number | Buffer,
    client_id: number | null,
  ) => {
    pass(HOUR);
    const content = typeof size === 'number' ? randomBytes(size) : size;
    return build.file(actor, { name, content, parent_id, client_id });
  };
  const found = { year: 0, pdf: 0 };
  for (const [name, client_type, city] of CLIENTS.toReversed()) {
    const client = await services.clients.create(actor, {
      name,
      client_type,
      city,
      status: 'Active',
      email: `${name.split(' ')[0]!.toLowerCase()}@example.in`,
      phone: '9820012345',
    } as never);
    const top = await services.documents.createFolder(actor, { name, parent_id: null, client_id: client.id });
    for (const span of ['FY 2023-24', 'FY 2024-25', 'FY 2025-26']) {
      pass(26 * HOUR);
      const inside = await services.documents.createFolder(actor, {
        name: span,
        parent_id: top.id,
        client_id: client.id,
      });
      const year = span.slice(3);
      await put(inside.id, `Form 16 ${year}.pdf`, 214 * KB, client.id);
      await put(inside.id, `26AS ${year}.pdf`, 96 * KB, client.id);
      if (name !== 'Sharma Traders') continue;
      await put(inside.id, `Bank statement SBI ${year}.xlsx`, 388 * KB, client.id);
      await put(inside.id, `GSTR-3B April to March ${year}.zip`, 2300 * KB, client.id);
      await put(inside.id, `Tax audit report 3CD ${year}.pdf`, 640 * KB, client.id);
      await put(inside.id, `Balance sheet ${year}.docx`, 128 * KB, client.id);
      await put(inside.id, `किराया अनुबंध ${year}.pdf`, 310 * KB, client.id);
      const sheet = await put(inside.id, `Computation of income ${year}.pdf`, pdf, client.id);
      if (span === 'FY 2025-26') Object.assign(found, { year: inside.id, pdf: sheet.id });
    }
  }
  await put(null, 'Scans of 20 November.zip', 5200 * KB, null);
  await put(null, 'Fee register FY 2025-26.xlsx', 84 * KB, null);
  await put(null, 'Office rent agreement.pdf', 420 * KB, null);
  await services.subscription.startTrial(actor);
  return found;
}

async function shoot(page: Page, name: string, theme: Theme | null): Promise<void> {
  // What moves or waits would be caught half-way.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await new Promise((resolve) => setTimeout(resolve, 500));
  await keep(page, theme ? `${name}-${theme}` : name);
}

/** Twice: for large screens, and at three fifths for the others. */
async function keep(page: Page, name: string): Promise<void> {
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
  await prefer(page, theme);
  await page.evaluateOnNewDocument(`try { localStorage.setItem('sidebar', 'open') } catch {}`);
  await signIn(page, url, { email: EMAIL, password: PASSWORD });
  const open = (path: string) => page.goto(url + path, { waitUntil: 'networkidle2' });
  await open('/dashboard');
  await page.waitForFunction(() => !document.querySelector('[data-sonner-toast]'));
  await shoot(page, 'drive', theme);
  await open(`/dashboard/folder/${ids.year}?preview=${ids.pdf}`);
  await page.waitForSelector('canvas');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  // The preview is dark in both themes.
  await shoot(page, 'preview', null);
  await open('/dashboard');
  await page.type('.global-search', 'form 16');
  await page.waitForFunction(() => document.querySelectorAll('[role=option]').length > 4);
  await new Promise((resolve) => setTimeout(resolve, 400));
  await keep(page, `search-${theme}`);
  await page.setViewport({ width: 360, height: 720, deviceScaleFactor: 2 });
  await open(`/dashboard/folder/${ids.year}`);
  await shoot(page, 'phone', theme);
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
  const ids = await furnish(world, actor, await computation(browser));
  const url = await world.serve({ site: await builtSite() });
  for (const theme of ['light', 'dark'] as const) await visit(browser, url, theme, ids);
} finally {
  await browser.close();
  await world.close();
}
process.exit();
