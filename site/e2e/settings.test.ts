import { Secret } from 'otpauth';
import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { codeAt } from '#server/auth/totp.ts';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import {
  ASHA,
  waitForValue,
  focusedControl,
  officeSuite,
  pathOf,
  replaceText,
  waitForText,
  textOf,
} from './office.ts';

const test = officeSuite('settings');

async function open({ page, url }: Office): Promise<void> {
  await signIn(page, url, ASHA, '/settings');
}

/** Answers calls that end in one of the paths with status 500. */
async function failCalls(page: Page, paths: readonly string[]): Promise<void> {
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!paths.some((path) => request.url().endsWith(path))) return void request.continue();
    return void request.respond({ status: 500, contentType: 'application/json', body: '{}' });
  });
}

test('the name in the profile is cleaned of invalid characters as at registration, saved, and shown at once in the account menu', async (office) => {
  const { page, world } = office;
  await open(office);
  await replaceText(page, '[name=name]', 'Asha 9 Deshpande');
  await page.locator('::-p-text(Save profile)').click();
  await waitForText(page, 'Profile updated');
  assert.is((await world.db('users').first()).name, 'Asha Deshpande');
  await page.waitForSelector('.user-button ::-p-text(Asha Deshpande)');
  assert.match(await focusedControl(page), 'Save profile', 'the focus stays on the pressed button');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Nothing in your profile was changed.');
});

test('a link asks before a name typed in the profile is lost, and goes on when it may be', async (office) => {
  const { page } = office;
  await open(office);
  await replaceText(page, '[name=name]', 'Asha Deshpande');
  await page.locator('.sidebar a[href="/clients"]').click();
  await page.locator('[role=alertdialog] button ::-p-text(Keep editing)').click();
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  assert.is(pathOf(page), '/settings');
  assert.is(await page.$eval('[name=name]', (field) => (field as HTMLInputElement).value), 'Asha Deshpande');
  await page.locator('.sidebar a[href="/clients"]').click();
  await page.locator('[role=alertdialog] button ::-p-text(Discard)').click();
  await waitForValue(() => pathOf(page), '/clients');
});

test('ten minutes after sign-in, a new e-mail address needs the password; it takes effect when its link is opened', async (office) => {
  const { page, world, url } = office;
  await open(office);
  world.advance(10 * 60_000);
  await replaceText(page, '[name=email]', 'asha@new.in');
  await page.locator('::-p-text(Save profile)').click();
  await page.locator('[role=dialog] [name=current_password]').fill('wrong');
  await page.keyboard.press('Enter');
  await waitForText(page, 'The current password is not right');
  assert.equal(await violations(page), []);
  await replaceText(page, '[role=dialog] [name=current_password]', ASHA.password);
  await page.keyboard.press('Enter');
  await waitForText(page, 'We sent a link to asha@new.in');
  assert.is((await world.db('users').first()).email, ASHA.email);
  const mail = (await world.deliverMail()).findLast(({ kind }) => kind === 'auth.confirm_email');
  const { pathname, search } = new URL(/http\S+confirm-email\S+/.exec(mail?.text ?? '')?.[0] ?? '');
  await load(page, url + pathname + search);
  await page.locator('::-p-text(Confirm this address)').click();
  await waitForText(page, 'Your e-mail address has been changed');
  assert.is((await world.db('users').first()).email, 'asha@new.in');
  await load(page, url + pathname + search);
  await waitForText(page, 'This link is no longer valid');
});

test('a failed change of the profile or of the password is reported beside its form', async (office) => {
  const { page } = office;
  await open(office);
  await page.locator('::-p-text(Change password)').click();
  await waitForText(page, 'Password is required');
  assert.equal(await violations(page), []);
  await failCalls(page, ['/api/auth/profile', '/api/auth/change-password']);
  await replaceText(page, '[name=name]', 'Asha');
  await page.locator('::-p-text(Save profile)').click();
  assert.is(await textOf(page, '#profile [role=alert]'), 'Profile update failed');
  await page.type('#password [name=current_password]', ASHA.password);
  await page.type('#password [name=password]', 'a new long phrase');
  await page.type('#password [name=password_confirmation]', 'a new long phrase');
  await page.keyboard.press('Enter');
  assert.is(await textOf(page, '#password [role=alert]'), 'Password change failed');
});

test('a new password signs other browsers out and keeps this one signed in', async (office) => {
  const { page, browser, url } = office;
  const otherBrowser = await openPage(browser);
  await signIn(otherBrowser, url, ASHA);
  await open(office);
  await page.type('#password [name=current_password]', ASHA.password);
  await page.type('#password [name=password]', 'a new long phrase');
  await page.type('#password [name=password_confirmation]', 'a new long phrase');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Password changed');
  await otherBrowser.goto(`${url}/settings`);
  assert.match(pathOf(otherBrowser), /^\/login/);
  await page.reload();
  await waitForValue(() => pathOf(page), '/settings');
  await otherBrowser.browserContext().close();
});

test('two-step sign-in is set up with an authenticator app, asked for, and passed with a recovery code', async (office) => {
  const { page, browser, url, world } = office;
  await open(office);
  await page.locator('::-p-text(Set up two-step sign-in)').click();
  await page.waitForSelector('[role=dialog] [name=current_password]');
  assert.equal(await violations(page), []);
  await page.type('[role=dialog] [name=current_password]', ASHA.password);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=dialog] [role=img] svg');
  const base32 = (await textOf(page, '[role=dialog] details p')).replaceAll(' ', '');
  const secret = Buffer.from(Secret.fromBase32(base32).bytes);
  await page.type('[role=dialog] [name=code]', codeAt(secret, world.now()));
  await page.keyboard.press('Enter');
  await waitForText(page, 'Keep these recovery codes');
  const [recovery, spare] = await page.$$eval('[role=dialog] li', (items) =>
    items.map((item) => item.textContent ?? ''),
  );
  await page.locator('[role=dialog] ::-p-text(I have stored them where I can find them)').click();
  await page.locator('[role=dialog] ::-p-text(Done)').click();
  await waitForText(page, '10 of 10 recovery codes left');
  await waitForValue(() => focusedControl(page), 'New recovery codes');

  const otherBrowser = await openPage(browser);
  const enterPassword = async () => {
    await load(otherBrowser, `${url}/login`);
    await otherBrowser.type('[name=email]', ASHA.email);
    await otherBrowser.type('[name=password]', ASHA.password);
    await otherBrowser.keyboard.press('Enter');
    await otherBrowser.waitForSelector('[name=code]');
  };
  await enterPassword();
  assert.equal(await violations(otherBrowser), []);
  await otherBrowser.type('[name=code]', '000000');
  await otherBrowser.keyboard.press('Enter');
  await waitForText(otherBrowser, 'This code is not right');
  await waitForValue(() => pathOf(otherBrowser), '/login');
  await otherBrowser.locator('::-p-text(Use a recovery code)').click();
  await otherBrowser.type('[name=code]', recovery!);
  await otherBrowser.keyboard.press('Enter');
  await waitForText(otherBrowser, 'Welcome back!');
  await otherBrowser.browserContext().close();

  await page.bringToFront();
  await page.locator('#two-step ::-p-text(Turn off)').click();
  await page.waitForSelector('[role=dialog] [name=code]');
  await page.type('[role=dialog] [name=current_password]', ASHA.password);
  await page.type('[role=dialog] [name=code]', spare!);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Set up two-step sign-in');
  await waitForValue(() => focusedControl(page), 'Set up two-step sign-in', 'the pressed button has gone');
});

test('the list of devices names each browser, and signs the others out', async (office) => {
  const { page, browser, url } = office;
  const otherBrowser = await openPage(browser);
  await signIn(otherBrowser, url, ASHA);
  await open(office);
  const names = await page.$$eval('#devices li', (items) => items.map((item) => item.textContent ?? ''));
  assert.match(names[0] ?? '', /Chrome on \w+.*This device/);
  await page.locator('::-p-text(Sign out all others)').click();
  await page.waitForSelector('[role=alertdialog]');
  await page.locator('[role=alertdialog] ::-p-text(Sign out the others)').click();
  await page.waitForFunction(() => document.querySelectorAll('#devices li').length === 1);
  await otherBrowser.reload();
  assert.match(pathOf(otherBrowser), /^\/login/);
  await otherBrowser.browserContext().close();
});

test('a link to a section scrolls the content and not the frame around it', async (office) => {
  const { page } = office;
  await open(office);
  await page.locator('nav[aria-label=Settings] a[href="#history"]').click();
  await page.waitForFunction(() => (document.querySelector('[data-scroller]')?.scrollTop ?? 0) > 100);
  assert.is(await page.evaluate(() => scrollY + document.body.scrollTop), 0);
});

test('the export starts a download, and the settings link to the history', async (office) => {
  const { page } = office;
  await open(office);
  assert.ok(await page.$('#history a[href="/history"]'));
  const exported = page.waitForResponse((response) => response.url().endsWith('/api/export'));
  await page.locator('::-p-text(Download everything)').click();
  assert.is((await exported).status(), 200);
  await waitForText(page, 'The download has started');
});

test('an app password for one folder is created, shown once, opens the drive over WebDAV, and is revoked', async (office) => {
  const { page, world, url } = office;
  const from = { ip: '127.0.0.1', userAgent: 'test' };
  const entry = await world.services.auth.signIn(ASHA, from);
  const actor = (await world.services.auth.identifyByToken('token' in entry ? entry.token : '', from))!;
  await world.build.folder(actor, 'Scans');
  await open(office);
  await waitForText(page, 'No program has an app password yet.');
  await page.locator('::-p-text(New app password)').click();
  await page.waitForSelector('[role=dialog] [name=name]');
  await page.type('[role=dialog] [name=name]', 'Scanner at the door');
  // The dialog still grows under the pointer: a click could open the list and choose its first line at once.
  await page.locator('[role=dialog] ::-p-text(Everything I see)').click();
  await page.locator('[role=option]::-p-text(One folder)').click();
  await page.locator('[role=dialog] ::-p-text(Choose...)').click();
  await page.waitForSelector('[role=dialog] button:disabled ::-p-text(Choose a folder)');
  await page.locator('[role=dialog] ::-p-text(Scans)').click();
  await page.locator('[role=dialog] ::-p-text(Choose Scans)').click();
  await page.waitForSelector('[role=dialog] [name=current_password]');
  await page.type('[role=dialog] [name=current_password]', ASHA.password);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Your new app password');
  assert.equal(await violations(page), []);
  const password = await textOf(page, '[role=dialog] code');
  const headers = {
    authorization: `Basic ${Buffer.from(`${ASHA.email}:${password}`).toString('base64')}`,
    depth: '1',
  };
  assert.is((await fetch(`${url}/dav/`, { method: 'PROPFIND', headers })).status, 207);
  await page.locator('[role=dialog] ::-p-text(Done)').click();
  await waitForText(page, 'Scans · reads and changes');
  await page.locator('[aria-label="End the app password Scanner at the door"]').click();
  await page.locator('[role=alertdialog] button::-p-text(End)').click();
  await waitForText(page, 'The app password has ended');
  assert.is((await fetch(`${url}/dav/`, { method: 'PROPFIND', headers })).status, 401);
});

test.run();
