import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';
import { fillDemoOffice } from './demo-office.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite } from './office.ts';
import { overflowingTexts, pseudoSite, untranslated } from './pseudo.ts';
import { pdf } from './samples.ts';

// In the pseudo-language en-XA every message has accents and is longer. So a plain text on a screen is one that is not
// among the messages, and what sticks out has no room for the longer texts of other languages.
const test = officeSuite('texts in the pseudo-language', { site: pseudoSite });

const SIZES = [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
] as const;

/** Names of the product, keys, initials, kinds of files, and texts that React Aria adds. */
const NAMES = [
  'Almirah',
  'alt+T',
  'Show suggestions',
  'Dismiss',
  /^[A-Z]{2}$/,
  /26AS [-\d]+\.pdf/,
  /^(?:docx|xlsx|jpe?g|pdf|zip|csv|txt)$/i,
];
/** Names of people, clients and files in the office of these tests. */
const TYPED = [
  /\S+@\S+\.in\b/,
  /\w+ (?:Rao|Deshpande)\b/,
  /(?:Sharma Traders|Meera Iyer|Bharat Exports LLP|Dr Nikhil Kulkarni|Gupta & Sons|Fatima Shaikh)/,
  /(?:Pune|Chennai|Surat|Nashik|Indore|Mumbai)/,
  /(?:Form 16|Bank statement SBI|GSTR-3B April to March|Tax audit report 3CD|Balance sheet|Computation of income|Scans of 20 November|Fee register|Office rent agreement)[^/·]*/,
  /(?:Rao|Deshpande) & \w+|[A-Z]\w+ (?:Associates|& Co)/,
];
/** Texts of the server, which are in English for now: plans, the history, devices, templates, field errors; and languages, by their own names. */
const SERVER = [
  /^English$/,
  'A program',
  /^http:\/\/localhost:\d+\/dav$/,
  /(?:Free|Trial|Premium) Plan|Free Trial|^Trial$|Trial: \d+ days left|Upgrade(?: Now)?|Starter|Professional|Enterprise/,
  /(?:Chrome|HeadlessChrome|Chromium) on \w+|this computer|This computer/i,
];

/** The faults of the pages of one test, asserted together at its end. */
let faults: string[] = [];

async function check(page: Page, where: string, except: readonly (string | RegExp)[] = []): Promise<void> {
  const english = await untranslated(page, [...TYPED, ...NAMES, ...SERVER, ...except]);
  faults.push(...english.map((text) => `${where}: in English: ${text}`));
  faults.push(...(await overflowingTexts(page)).map((text) => `${where}: no room: ${text}`));
}

/** Visits pages at both sizes, each in a window of its own. */
async function atEachSize({ browser }: Office, visit: (page: WatchedPage, where: string) => Promise<void>) {
  faults = [];
  for (const size of SIZES) {
    const page = await openPage(browser, size);
    await visit(page, `at ${size.width} px`);
  }
  assert.equal(faults, []);
}

/** Checks a loaded page at each size, the smallest last. */
async function checkAtEachSize(page: Page, path: string, except?: readonly (string | RegExp)[]) {
  for (const size of SIZES) {
    await page.setViewport(size);
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    await check(page, `${path} at ${size.width} px`, except);
  }
}

test('sign-in and registration have no untranslated text, and room for longer ones', async (office) => {
  faults = [];
  const page = await openPage(office.browser);
  for (const path of ['/login', '/forgot-password', '/reset-password', '/confirm-email']) {
    await load(page, office.url + path);
    assert.is(await page.$eval('html', ({ lang }) => lang), 'en-XA');
    await checkAtEachSize(page, path);
  }
  await load(page, `${office.url}/register`);
  for (const values of [
    { name: 'Asha Rao', email: 'asha@rao.in' },
    { ca_license_number: '123456', phone: '9820012345', firm_name: 'R & S' },
    { password: '4 grey owls by night', password_confirmation: '4 grey owls by night' },
    {},
  ]) {
    await checkAtEachSize(page, '/register');
    for (const [name, value] of Object.entries(values)) await page.type(`[name=${name}]`, value);
    if (Object.keys(values).length > 0) await page.locator('form button[type=submit]').click();
  }
  assert.equal(faults, []);
});

test('the public pages have no untranslated text, and room for longer ones', async (office) => {
  faults = [];
  const page = await openPage(office.browser);
  for (const path of ['/', '/terms', '/privacy', '/help']) {
    await load(page, office.url + path);
    // Names of cookies are not translated.
    await checkAtEachSize(page, path, ['ca_token', 'XSRF-TOKEN']);
  }
  assert.equal(faults, []);
});

test('the screens of a filled office have no untranslated text, and room for longer ones', async (office) => {
  const { year, pdf: document } = await fillDemoOffice(office.world, office.asha.actor, pdf(2));
  const screens = [
    '/dashboard',
    `/dashboard/folder/${year}`,
    '/dashboard?search=form',
    '/dashboard?search=nothing+like+this',
    '/dashboard/folder/999999',
    '/documents',
    '/clients',
    '/clients/1',
    '/recent',
    '/trash',
    '/filing',
    '/review',
    '/requests',
    '/shared',
    '/retention',
    '/storage',
    '/subscription-plans',
    '/share',
    '/help',
    '/system',
    '/backups',
    `/dashboard/folder/${year}?preview=${document}`,
  ];
  faults = [];
  const page = await openPage(office.browser);
  await signIn(page, office.url, ASHA, '/recent');
  for (const path of screens) {
    await load(page, office.url + path);
    await checkAtEachSize(page, path, ['nothing like this', 'form', 'Tax deducted at source']);
  }
  assert.equal(faults, []);
});

test('the settings and the history have no untranslated text, except what the server says of devices and events', async (office) => {
  faults = [];
  const page = await openPage(office.browser);
  await signIn(page, office.url, ASHA, '/settings');
  await checkAtEachSize(page, '/settings');
  await load(page, `${office.url}/history?kind=deleted`);
  await checkAtEachSize(page, '/history');
  await load(page, `${office.url}/history`);
  await page.evaluate(() => document.querySelectorAll('.history-entry').forEach((entry) => entry.remove()));
  await checkAtEachSize(page, '/history');
  assert.equal(faults, []);
});

test('the main dialogs and menus have no untranslated text, and room for longer ones', async (office) => {
  await fillDemoOffice(office.world, office.asha.actor, pdf(2));
  const openByShortcut = async (page: Page, key: 'KeyN' | 'KeyU') => {
    const control = key === 'KeyU' ? 'Control' : 'Alt';
    await page.keyboard.down(control);
    await page.keyboard.press(key);
    await page.keyboard.up(control);
    await page.waitForSelector('[role=dialog]');
  };
  const close = async (page: Page) => {
    await page.keyboard.press('Escape');
    await page.waitForFunction(
      () => !document.querySelector('[role=dialog], [role=alertdialog], [role=menu]'),
    );
  };
  await atEachSize(office, async (page, where) => {
    await signIn(page, office.url, ASHA);
    await openByShortcut(page, 'KeyN');
    await check(page, `a new folder ${where}`);
    await close(page);
    await openByShortcut(page, 'KeyU');
    await check(page, `an upload ${where}`);
    await close(page);
    await page.keyboard.type('?');
    await page.waitForSelector('[role=dialog]');
    await check(page, `the shortcuts ${where}`);
    await close(page);

    await page.locator('[role=row] [aria-haspopup]').click();
    await page.waitForSelector('[role=menu]');
    await check(page, `the menu of a folder ${where}`);
    await close(page);
    for (const key of ['F2', 'Delete'] as const) {
      await page.focus('[role=grid]');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press(key);
      await page.waitForSelector('[role=dialog], [role=alertdialog]');
      await check(page, `${key} ${where}`);
      await close(page);
    }

    await load(page, `${office.url}/clients`);
    await openByShortcut(page, 'KeyN');
    await check(page, `a new client ${where}`);
    await close(page);
    await page.locator('.client-row [aria-haspopup]').click();
    await page.waitForSelector('[role=menu]');
    await check(page, `the menu of a client ${where}`);
    await close(page);
  });
});

test.run();
