import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { sender } from '#server/requests/testing/office.ts';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import { askClient } from './asked.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite, submitWith, waitForText, waitForValue } from './office.ts';
import { shareLink } from './share-link.ts';

const test = officeSuite("a client's own page");

/** Shares a file with Meera Iyer by a link that is only for her. */
async function shareWithMeera(office: Office, client_id?: number) {
  const { id } = await office.world.build.file(office.asha.actor, { name: 'Computation.txt', client_id });
  return shareLink(office, [id], { audience: 'named', emails: ['meera@iyer.in'] });
}

test('a client opens their page with a code and without JavaScript, and finds their requests and shared files until the office ends it', async (office) => {
  const { page, browser, world, asha } = office;
  const { services, build, db } = world;
  const client_id = await build.client(asha.actor, 'Meera Iyer');
  await db('clients').where({ id: client_id }).update({ email: 'meera@iyer.in' });
  const { id } = await askClient(office, ['Form 16', 'Bank statement HDFC Apr–Mar'], client_id);
  await shareWithMeera(office, client_id);
  await signIn(page, office.url, ASHA, `/clients/${client_id}`);
  await page.locator('[aria-label="More actions"]').click();
  await page.locator('[role=menuitem] ::-p-text(Client’s page...)').click();
  await page.locator('[role=dialog] button ::-p-text(Create page)').click();
  const link = await page.waitForSelector('[role=dialog] input[readonly]');
  const url = await link!.evaluate((input) => (input as HTMLInputElement).value);
  assert.equal(await violations(page), []);
  await page.locator('[role=dialog] button ::-p-text(E-mail it to 1 address)').click();
  await waitForText(page, 'Sent to 1 address');
  await page.locator('[role=dialog] section button[aria-haspopup=listbox]').click();
  await page.locator('[role=option] ::-p-text(हिन्दी)').click();
  const kept = async () => (await services.clients.client(asha.actor, client_id)).language;
  await waitForValue(kept, 'hi', 'for whoever writes to the client next');

  const outside = await openPage(browser, { width: 390, height: 844 });
  await outside.setJavaScriptEnabled(false);
  const path = new URL(url).pathname;
  const response = await outside.goto(office.url + path);
  assert.is(response!.headers()['referrer-policy'], 'no-referrer');
  const spoken = () => outside.$eval('html', ({ lang }) => lang);
  assert.is(await spoken(), 'hi', 'the language in which the office writes to this client');
  await submitWith(outside, 'a[hreflang=en]');
  assert.is(await spoken(), 'en');
  await outside.type('input[name=email]', 'meera@iyer.in');
  await submitWith(outside, 'main button[type=submit]');
  await waitForText(outside, 'Enter the code');
  for (const language of ['hi', 'en']) {
    await submitWith(outside, `a[hreflang=${language}]`);
    assert.ok(await outside.$('input[name=code]'), 'no second code is needed for another language');
  }
  const mail = (await world.deliverMail()).find(({ kind }) => kind === 'portal.code');
  await outside.type('input[name=code]', /^\d{6}/.exec(mail!.subject)![0]);
  await submitWith(outside, 'main button[type=submit]');
  await waitForText(outside, 'Bank statement HDFC Apr–Mar');
  const requested = await services.requests.office.view(asha.actor, id);
  const [asked] = await services.requests.ofClient.asked(asha.actor.firmId, client_id);
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#f00' } })
    .jpeg()
    .toBuffer();
  const batch = { batch: 'batch-one', position: '1' };
  await sender(world, office.url, asked!.path).upload(requested.rows[0]!.id, 'IMG_1.jpg', photo, batch);
  await outside.reload();
  await waitForText(outside, 'Form 16: received, being prepared for the office');
  await waitForText(outside, '1 of 2 sent');
  await submitWith(outside, 'main a[href*="/r/"]');
  await waitForText(outside, 'asks you for these documents');
  await outside.goBack();
  await submitWith(outside, 'main a[href*="/links/"]');
  await waitForText(outside, 'Computation.txt');
  assert.match(outside.url(), '/s/');
  assert.is(await spoken(), 'en');
  await outside.deleteCookie({ name: 'almirah_language', url: office.url });
  await outside.reload();
  assert.is(await spoken(), 'hi');
  await outside.goto(`${outside.url()}?lang=en`);
  await outside.setJavaScriptEnabled(true);
  await outside.goto(office.url + path);
  assert.equal(await violations(outside), []);
  await outside.setViewport({ width: 1366, height: 768 });
  const [firm, heading] = await outside.$$eval('header > div > :first-child, h1', (elements) =>
    elements.map((element) => element.getBoundingClientRect().left),
  );
  assert.is(firm, heading, "the firm's name is aligned with the page");
  await outside.click('form[action$="/leave"] button');
  await waitForText(outside, 'The page is closed on this device');

  await load(page, `${office.url}/shared?kind=page`);
  await waitForText(page, 'Opened once');
  await page.click('[aria-label="End the page of Meera Iyer"]');
  await page.locator('[role=alertdialog] button ::-p-text(End the page)').click();
  await waitForText(page, 'Page ended');
  assert.is((await outside.goto(office.url + path))!.status(), 404);
});

test('where no e-mail is sent, neither the form for a code, the page of a forgotten password nor the office’s dialog promises one, and nobody is asked for a code that only the e-mail would have', async (office) => {
  const { page, world, url, asha } = office;
  Object.defineProperty(world.services.system, 'sendsEmail', { value: false });
  const link = await shareWithMeera(office);
  await page.goto(url + new URL(link.url).pathname);
  await waitForText(page, 'sends no e-mail at the moment, so no code can reach you: please tell them');
  await page.type('input[name=email]', 'meera@iyer.in');
  await page.click('main button[type=submit]');
  await waitForText(page, 'No code was sent');
  await waitForText(page, 'Use another address, or get a new code');
  await load(page, `${url}/forgot-password`);
  await waitForText(page, 'This server sends no e-mail');

  const client_id = await world.build.client(asha.actor, 'Kiran Shah');
  await world.db('clients').where({ id: client_id }).update({ email: 'kiran@shah.in' });
  await signIn(page, url, ASHA, `/clients/${client_id}`);
  await page.locator('[aria-label="More actions"]').click();
  await page.locator('[role=menuitem] ::-p-text(Client’s page...)').click();
  await page.locator('[role=dialog] button ::-p-text(Create page)').click();
  await waitForText(page, 'Open WhatsApp');
  assert.not.match(await page.$eval('[role=dialog]', (dialog) => dialog.textContent), 'E-mail it to');
});

test.run();
