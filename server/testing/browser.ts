import { existsSync } from 'node:fs';
import { launch } from 'puppeteer';
import type { Browser, Page } from 'puppeteer';

export { builtSite } from '../built-site.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.PUPPETEER_EXECUTABLE_PATH ?? PLACES.find((path) => existsSync(path));
  if (!executablePath)
    throw new Error('No Chromium here. "npm test" installs one; or set PUPPETEER_EXECUTABLE_PATH.');
  return launch({
    executablePath,
    args: [
      // Debian's Chromium refuses to run as root with its sandbox, and CI is root; the pages are our own.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** A page in a profile of its own that keeps what a person would see in the console as an error. */
export async function openPage(
  browser: Browser,
  { width = 1366, height = 768 } = {},
): Promise<Page & { faults: string[] }> {
  const context = await browser.createBrowserContext();
  const page = Object.assign(await context.newPage(), { faults: [] as string[] });
  await page.setViewport({ width, height });
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') page.faults.push(message.text());
  });
  return page;
}

/** Signs the page in as whoever holds these, as if they had used the form. */
export async function signIn(
  page: Page,
  url: string,
  account: { email: string; password: string },
): Promise<void> {
  await page.goto(`${url}/login`, { waitUntil: 'networkidle0' });
  await page.type('input[type=email]', account.email);
  await page.type('input[type=password]', account.password);
  await Promise.all([
    page.waitForFunction("location.pathname.startsWith('/dashboard')"),
    page.keyboard.press('Enter'),
  ]);
}
