import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { launch } from 'puppeteer';
import type { Browser, BrowserContext, HTTPRequest, Page } from 'puppeteer';
import { lowerPriority } from '../sandbox/low-priority.ts';
import { LOWEST_PRIORITY } from '../sandbox/sandbox.ts';
import { HYDRATED, actWhenReady } from './page-ready.ts';

export { builtSite } from '../serving/built-site.ts';
export { HYDRATED } from './page-ready.ts';

const CHROMIUM_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

let shared: Promise<Browser> | undefined;

/** Starts a browser. When test files share a process they share one browser, and `close` closes its contexts. */
export async function openBrowser(): Promise<Browser> {
  if (!process.env.SHARED_BROWSER) return startBrowser();
  if (!(await shared)?.connected) {
    shared = startBrowser().then((browser) => {
      // Like the processes of the tests, which would otherwise wait for it.
      lowerPriority(browser.process()!.pid!, LOWEST_PRIORITY);
      return Object.assign(browser, {
        async close() {
          for (const context of browser.browserContexts())
            if (context !== browser.defaultBrowserContext()) await context.close();
        },
      });
    });
  }
  return shared!;
}

function startBrowser(): Promise<Browser> {
  const executablePath =
    process.env.PUPPETEER_EXECUTABLE_PATH ?? CHROMIUM_PATHS.find((path) => existsSync(path));
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
      // One process for all pages of a profile: starting one for each is an eighth of the time of a browser test.
      '--renderer-process-limit=1',
      '--in-process-gpu',
      // A page of a test lives for seconds: code is not run often enough to be worth optimising, and a young generation that begins
      // with 1 MB is collected dozens of times. Both together are a quarter of the processor time of a browser test.
      '--js-flags=--no-opt,--no-maglev,--min-semi-space-size=16',
      // A name for this machine, as other machines of an office use, without TLS.
      '--host-resolver-rules=MAP office-pc 127.0.0.1',
    ],
  });
}

/** A page that collects the errors of its console. */
export type WatchedPage = Page & {
  faults: string[];
  /** Errors that the test provokes. */
  expected: RegExp[];
};

// Chromium also logs this for a refused call, a missing network and a 404, which the screen reports to the user
// and tests check. A missing asset of the page itself is a fault.
const NOT_LOADED = 'Failed to load resource';

/** Timeout of every page operation; other tests may keep the machine busy. */
export const TIMEOUT_MS = 60_000;

interface PageOptions {
  width?: number;
  height?: number;
  /** As for a user: keys and clicks are not held until the page is ready, and things move; to measure response times. */
  immediate?: boolean;
}

/** Opens a page in a new profile. */
export const openPage = async (browser: Browser, looks?: PageOptions): Promise<WatchedPage> =>
  openTab(await browser.createBrowserContext(), looks);

/** Opens another tab of a profile. */
export async function openTab(
  context: BrowserContext,
  { width = 1366, height = 768, immediate = false }: PageOptions = {},
): Promise<WatchedPage> {
  const own: Pick<WatchedPage, 'faults' | 'expected'> = { faults: [], expected: [] };
  const page = Object.assign(await context.newPage(), own);
  await page.setViewport({ width, height });
  page.setDefaultTimeout(TIMEOUT_MS);
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url = '' } = message.location();
    if (message.text().startsWith(NOT_LOADED) && !url.includes('/_astro/')) return;
    page.faults.push(`${message.text()} (${url})`);
  });
  if (immediate) return page;
  actWhenReady(page);
  // Each drawn frame of an animation takes 20 ms of processor without a graphics card, and each check by frame keeps the page drawing.
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  pollByTime(page);
  return page;
}

const POLL_MS = 50;

/** Lets `waitForFunction` look every `POLL_MS`, not with every frame. */
function pollByTime(page: Page): void {
  const waitForFunction = page.waitForFunction.bind(page);
  const wait: typeof waitForFunction = (look, options, ...given) =>
    waitForFunction(look, { polling: POLL_MS, ...options }, ...given);
  Object.assign(page, { waitForFunction: wait });
}

/** Requests in progress per page; the event stream never ends and is not counted. */
const pending = new WeakMap<Page, Set<HTTPRequest>>();
function watchRequests(page: Page): void {
  if (pending.has(page)) return;
  const open = new Set<HTTPRequest>();
  pending.set(page, open);
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/api/events') open.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end, (request) => void open.delete(request));
  page.on('response', (response) => {
    const request = response.request();
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
    // No end is reported of what the page that is left was still loading.
    open.clear();
    open.add(request);
  });
}

/** Whether the request waits for the server, and not for a test that holds it. */
const isUnderWay = (request: HTTPRequest) => request.interceptResolutionState().action !== 'none';

/**
 * Resolves once there was no request for `idle` ms, except those that the test holds; at the latest after `most` ms, which only a
 * very slow machine reaches. The page must be loaded by `load`.
 */
export async function networkIdle(page: Page, { idle = 50, most = 10_000 } = {}): Promise<void> {
  const open = pending.get(page)!;
  let since = performance.now();
  for (const end = since + most; performance.now() < end && performance.now() - since < idle; await wait(10))
    if ([...open].some(isUnderWay)) since = performance.now();
}

/** Loads a page and waits until its islands are hydrated and its requests are finished. */
export async function load(page: Page, address: string): Promise<void> {
  watchRequests(page);
  await page.goto(address);
  await page.waitForFunction(HYDRATED);
  // Effects after rendering, such as key listeners, run before the first idle callback.
  const idle = 'new Promise((resolve) => requestIdleCallback(resolve))';
  // Without scripts there are no islands and no idle callbacks.
  await page.evaluate(`document.querySelector('astro-island') ? ${idle} : null`);
  await networkIdle(page);
}

const ENTER = `async (account) => {
  await fetch('/sanctum/csrf-cookie');
  const [, value] = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie);
  const headers = { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': value };
  const answer = await fetch('/api/auth/login', { method: 'POST', headers, body: JSON.stringify(account) });
  localStorage.setItem('ca_token', (await answer.json()).data.token);
}`;

/** The smallest resource of every server that a page can show. */
export const SMALL_PAGE = '/robots.txt';

/** Signs the page in by the API (the form has tests of its own) and opens a path. */
export async function signIn(
  page: Page,
  url: string,
  account: { email: string; password: string },
  path = '/dashboard',
): Promise<void> {
  // The storage of the origin is only accessible from a page of it, which is any small resource unless one is open.
  const open = (await page.browserContext().pages()).find((one) => one.url() === url + SMALL_PAGE);
  if (!open) await page.goto(url + SMALL_PAGE);
  await (open ?? page).evaluate(`(${ENTER})(${JSON.stringify(account)})`);
  await load(page, url + path);
}
