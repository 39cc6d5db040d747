import type { Browser, Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { builtSite, load, openBrowser, openPage, signIn } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';
import { freePort } from '#server/testing/free-port.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { violations } from './axe.ts';
import { ASHA, waitForValue, focusedControl, pathOf, waitForText, textOf } from './office.ts';
import { closePages, watchedSuite } from './watched.ts';

interface Office {
  browser: Browser;
  world: World;
  url: string;
  page: WatchedPage;
}
const test = watchedSuite<Office>('passkeys in the browser');

test.before(async (office) => {
  office.browser = await openBrowser();
});
test.before.each(async (office) => {
  // Passkeys are bound to the address, which therefore has to be known before the server starts.
  const port = await freePort();
  office.url = `http://localhost:${port}`;
  office.world = await freshWorld({ abuseLimits: false, baseUrl: office.url });
  await office.world.build.account({ email: ASHA.email });
  await office.world.serve({ site: await builtSite(), port });
  office.page = await openPage(office.browser);
});
test.after.each(async (office) => {
  await closePages(office);
  await office.world.close();
});
test.after(async (office) => {
  await office.browser.close();
});

/** Gives the page a virtual authenticator, which stores passkeys and confirms its owner by itself. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.createCDPSession();
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('ca_token')}` };
    await fetch('/api/auth/logout', { method: 'POST', headers });
    localStorage.removeItem('ca_token');
  });
}

test('a passkey is added under Settings, signs in alone and as the second step, and is removed', async (office) => {
  const { page, url } = office;
  await addAuthenticator(page);
  await signIn(page, url, ASHA, '/settings');
  await page.locator('::-p-text(Add a passkey)').click();
  await page.locator('[role=dialog] [name=name]').fill('Office laptop');
  await page.locator('[role=dialog] [name=current_password]').fill(ASHA.password);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Keep these recovery codes');
  await page.locator('[role=dialog] ::-p-text(I have stored them where I can find them)').click();
  await page.locator('[role=dialog] ::-p-text(Done)').click();
  await waitForText(page, 'Signing in with your password also asks for a passkey.');
  await waitForValue(() => focusedControl(page), 'Add a passkey');
  assert.match(await textOf(page, '#passkeys li'), /Office laptop/);
  assert.equal(await violations(page), []);

  await signOut(page);
  await load(page, `${url}/login`);
  await page.locator('::-p-text(Sign in with a passkey)').click();
  await waitForText(page, 'Successfully signed in as');
  await waitForValue(() => pathOf(page), '/dashboard');

  await signOut(page);
  await load(page, `${url}/login`);
  await page.locator('[name=email]').fill(ASHA.email);
  await page.locator('[name=password]').fill(ASHA.password);
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(Use your passkey)').click();
  await waitForText(page, 'Successfully signed in as');

  await load(page, `${url}/settings`);
  await page.locator('#passkeys ::-p-text(Remove)').click();
  await waitForText(page, 'It is your only passkey');
  await page.locator('[role=dialog] [name=current_password]').fill(ASHA.password);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Your password alone is enough to sign in.');
  await waitForText(page, 'No passkey yet.');
});

test('a page without HTTPS offers no passkey, which the browser could not make, and says what it takes', async ({
  page,
  url,
}) => {
  page.expected.push(/Cross-Origin-Opener-Policy header has been ignored/);
  await signIn(page, url.replace('localhost', 'office-pc'), ASHA, '/settings');
  await waitForText(page, 'Passkeys need an https address with a name.');
  assert.not.match(await page.evaluate(() => document.body.innerText), 'Add a passkey');
});

test.run();
