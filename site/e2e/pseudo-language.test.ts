import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';
import { fillDemoOffice } from './demo-office.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite } from './office.ts';
import { overflowingTexts, pseudoSite, untranslated } from './pseudo.ts';
import { pdf } from './samples.ts';

// Every text is among the messages, so that another language can be added as one more folder, and every screen has
// room for a longer one: seen in English in disguise.
const test = officeSuite('a language that nobody speaks', { site: pseudoSite });

const SIZES = [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
] as const;

/** The product, keys, initials, kinds of files; and what React Aria adds in words of its own. */
const NAMES = [
  'Almirah',
  'alt+T',
  'Show suggestions',
  'Dismiss',
  /^[A-Z]{2}$/,
  /26AS [-\d]+\.pdf/,
  /^(?:docx|xlsx|jpe?g|pdf|zip|csv|txt)$/i,
];
/** What the office of these tests has in it. */
const TYPED = [
  /\S+@\S+\.in\b/,
  /\w+ (?:Rao|Deshpande)\b/,
  /(?:Sharma Traders|Meera Iyer|Bharat Exports LLP|Dr Nikhil Kulkarni|Gupta & Sons|Fatima Shaikh)/,
  /(?:Pune|Chennai|Surat|Nashik|Indore|Mumbai)/,
  /(?:Form 16|Bank statement SBI|GSTR-3B April to March|Tax audit report 3CD|Balance sheet|Computation of income|Scans of 20 November|Fee register|Office rent agreement)[^/·]*/,
  /(?:Rao|Deshpande) & \w+|[A-Z]\w+ (?:Associates|& Co)/,
];
/** What the server says, which is English for now: plans, the history, devices, templates, field errors. */
const SERVER = [
  'A program',
  /^http:\/\/localhost:\d+\/dav$/,
  /(?:Free|Trial|Premium) Plan|Free Trial|^Trial$|Trial: \d+ days left|Upgrade(?: Now)?|Starter|Professional|Enterprise/,
  /(?:Chrome|HeadlessChrome|Chromium) on \w+|this computer|This computer/i,
];

/** What is wrong with the pages of one test; told at its end, all at once. */
let found: string[] = [];

async function check(page: Page, what: string, except: readonly (string | RegExp)[] = []): Promise<void> {
  const plain = await untranslated(page, [...TYPED, ...NAMES, ...SERVER, ...except]);
  found.push(...plain.map((text) => `${what}: in English: ${text}`));
  found.push(...(await overflowingTexts(page)).map((text) => `${what}: no room: ${text}`));
}

/** At both sizes, each in a window of its own. */
async function atEachSize({ browser }: Office, visit: (page: WatchedPage, where: string) => Promise<void>) {
  found = [];
  for (const size of SIZES) {
    const page = await openPage(browser, size);
    await visit(page, `at ${size.width} px`);
  }
  assert.equal(found, []);
}

/** Loaded once and then seen at each size, the smallest last. */
async function checkAtEachSize(page: Page, what: string, except?: readonly (string | RegExp)[]) {
  for (const size of SIZES) {
    await page.setViewport(size);
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await check(page, `${what} at ${size.width} px`, except);
  }
}

test('signing in and registering', async (office) => {
  found = [];
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
  assert.equal(found, []);
});

test('the open pages', async (office) => {
  found = [];
  const page = await openPage(office.browser);
  for (const path of ['/', '/terms', '/privacy', '/help']) {
    await load(page, office.url + path);
    // The names of cookies, settings and the gateway are no words.
    await checkAtEachSize(page, path, ['ca_token', 'XSRF-TOKEN']);
  }
  assert.equal(found, []);
});

test('every screen of an office at work', async (office) => {
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
  found = [];
  const page = await openPage(office.browser);
  await signIn(page, office.url, ASHA, '/recent');
  for (const path of screens) {
    await load(page, office.url + path);
    await checkAtEachSize(page, path, ['nothing like this', 'form', 'Tax deducted at source']);
  }
  assert.equal(found, []);
});

test('the settings and the history, but for what the server tells of devices and of what was done', async (office) => {
  found = [];
  const page = await openPage(office.browser);
  await signIn(page, office.url, ASHA, '/settings');
  await checkAtEachSize(page, '/settings');
  await load(page, `${office.url}/history?kind=deleted`);
  await checkAtEachSize(page, '/history');
  await load(page, `${office.url}/history`);
  await page.evaluate(() => document.querySelectorAll('.history-entry').forEach((one) => one.remove()));
  await checkAtEachSize(page, '/history');
  assert.equal(found, []);
});

test('the main dialogs and menus', async (office) => {
  await fillDemoOffice(office.world, office.asha.actor, pdf(2));
  const pressed = async (page: Page, key: 'KeyN' | 'KeyU') => {
    const control = key === 'KeyU' ? 'Control' : 'Alt';
    await page.keyboard.down(control);
    await page.keyboard.press(key);
    await page.keyboard.up(control);
    await page.waitForSelector('[role=dialog]');
  };
  const closed = async (page: Page) => {
    await page.keyboard.press('Escape');
    await page.waitForFunction(
      () => !document.querySelector('[role=dialog], [role=alertdialog], [role=menu]'),
    );
  };
  await atEachSize(office, async (page, where) => {
    await signIn(page, office.url, ASHA);
    await pressed(page, 'KeyN');
    await check(page, `a new folder ${where}`);
    await closed(page);
    await pressed(page, 'KeyU');
    await check(page, `an upload ${where}`);
    await closed(page);
    await page.keyboard.type('?');
    await page.waitForSelector('[role=dialog]');
    await check(page, `the shortcuts ${where}`);
    await closed(page);

    await page.locator('[role=row] [aria-haspopup]').click();
    await page.waitForSelector('[role=menu]');
    await check(page, `the menu of a folder ${where}`);
    await closed(page);
    for (const key of ['F2', 'Delete'] as const) {
      await page.focus('[role=grid]');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press(key);
      await page.waitForSelector('[role=dialog], [role=alertdialog]');
      await check(page, `${key} ${where}`);
      await closed(page);
    }

    await load(page, `${office.url}/clients`);
    await pressed(page, 'KeyN');
    await check(page, `a new client ${where}`);
    await closed(page);
    await page.locator('.client-row [aria-haspopup]').click();
    await page.waitForSelector('[role=menu]');
    await check(page, `the menu of a client ${where}`);
    await closed(page);
  });
});

test.run();
