import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, focusedControl, officeSuite, pathOf, waitForText } from './office.ts';

const test = officeSuite('registration');

const PRIYA = {
  name: 'Priya Nair',
  email: 'priya@nair.in',
  ca_license_number: 'MRN77',
  phone: '9876543210',
  firm_name: 'Nair & Co',
  password: 'a long sentence',
};

/** Fills the focused field and those after it by keyboard, and submits. */
async function typeStep({ page }: Office, values: string[]): Promise<void> {
  for (const [index, value] of values.entries()) {
    if (index > 0) await page.keyboard.press('Tab');
    await page.keyboard.type(value);
  }
  await page.keyboard.press('Enter');
}

async function open(office: Office): Promise<void> {
  await load(office.page, `${office.url}/register`);
  await office.page.focus('[name=name]');
}

async function toLastStep(office: Office, { email = PRIYA.email } = {}): Promise<void> {
  const { page } = office;
  await open(office);
  await typeStep(office, [PRIYA.name, email]);
  await page.waitForSelector('[name=phone]');
  await typeStep(office, [PRIYA.ca_license_number, PRIYA.phone, PRIYA.firm_name]);
  await page.waitForSelector('[name=password]');
  await page.keyboard.type(PRIYA.password);
  await page.focus('[name=password_confirmation]');
  await page.keyboard.type(PRIYA.password);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[name=terms_accepted]');
}

test('a firm registers with the keyboard alone, and its first screen offers the trial, which starts with one press', async (office) => {
  const { page } = office;
  await toLastStep(office);
  await waitForValue(
    () => focusedControl(page),
    'Complete',
    'a screen reader reads the review from its heading',
  );
  await page.keyboard.press('Tab');
  await waitForValue(() => focusedControl(page), 'terms_accepted');
  await page.keyboard.press('Space');
  for (const next of ['Terms of Service', 'Privacy Policy', 'Previous']) {
    await page.keyboard.press('Tab');
    await waitForValue(() => focusedControl(page), next);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Account created successfully!');
  await waitForText(page, 'Welcome to Almirah, Priya Nair!');
  await waitForValue(() => pathOf(page), '/dashboard');
  await waitForText(page, 'Try premium free for 14 days');
  await page.locator('::-p-text(Start Trial)').click();
  await waitForText(page, 'Free trial started successfully! Enjoy 14 days of premium features.');
  await waitForText(page, 'of 5 GB');
  assert.not(await page.$('#trial-title'), 'one trial a firm');
});

test('a step with errors is left only by Previous, which keeps all values, and each error is shown under its field until the field is edited', async (office) => {
  const { page } = office;
  await open(office);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Name is required');
  await waitForText(page, 'Email is required');
  await waitForValue(() => focusedControl(page), 'name');
  await page.keyboard.type('P');
  assert.not.match(await page.$eval('form', (form) => form.innerText), /Name is required/);
  assert.match(await page.$eval('form', (form) => form.innerText), /Email is required/);

  await page.keyboard.type('riya');
  await page.type('[name=email]', PRIYA.email);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[name=phone]');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Phone is required');
  await page.locator('::-p-text(Previous)').click();
  await page.waitForSelector('[name=name]');
  assert.is(await page.$eval('[name=email]', (input) => (input as HTMLInputElement).value), PRIYA.email);
});

test('without accepted terms no account is created, and an e-mail address that is registered already leads back to its field in the first step', async (office) => {
  const { page } = office;
  await toLastStep(office, { email: ASHA.email });
  await page.locator('button[type=submit]').click();
  await waitForText(page, 'Accept terms to continue');
  await page.focus('[name=terms_accepted]');
  await page.keyboard.press('Space');
  await page.locator('button[type=submit]').click();
  await waitForText(page, 'already registered');
  await waitForValue(() => focusedControl(page), 'email');
});

test('no step has to be scrolled on an office screen, and axe finds nothing wrong with any', async (office) => {
  const { page } = office;
  await page.setViewport({ width: 1366, height: 768 });
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  await open(office);
  const check = async (step: string) => {
    assert.is(await height(), 768, step);
    assert.equal(await violations(page), [], step);
  };
  await check('step 1');
  await page.focus('[name=name]');
  await typeStep(office, [PRIYA.name, PRIYA.email]);
  await page.waitForSelector('[name=phone]');
  await check('step 2, the longest');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Phone is required');
  assert.equal(await violations(page), [], 'step 2 with errors');
  await page.focus('[name=ca_license_number]');
  await typeStep(office, [PRIYA.ca_license_number, PRIYA.phone, PRIYA.firm_name]);
  await page.waitForSelector('[name=password]');
  await check('step 3');
  await page.type('[name=password]', PRIYA.password);
  await page.type('[name=password_confirmation]', PRIYA.password);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[name=terms_accepted]');
  await check('step 4');
});

test('a reload and a return to the page keep what was typed and the step, but no password', async (office) => {
  const { page } = office;
  await toLastStep(office);
  await page.reload();
  await waitForText(page, 'which keeps no password. Please type it again.');
  for (const again of [
    () => page.reload(),
    () => page.goto(`${office.url}/terms`).then(() => page.goBack()),
  ]) {
    await again();
    await page.waitForSelector('[name=password]');
    const passwords = await page.$$eval('input[type=password]', (fields) =>
      fields.map((field) => (field as HTMLInputElement).value),
    );
    assert.equal(passwords, ['', '']);
  }
  assert.not.match(await page.evaluate(() => JSON.stringify({ ...sessionStorage })), PRIYA.password);
  await page.locator('::-p-text(Previous)').click();
  await page.waitForSelector('[name=phone]');
  assert.is(await page.$eval('[name=phone]', (field) => (field as HTMLInputElement).value), PRIYA.phone);
});

test.run();
