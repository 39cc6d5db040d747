import type { Browser } from 'puppeteer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtSite, load, openBrowser, openPage, signIn } from '../../server/testing/browser.ts';
import type { World } from '../../server/testing/world.ts';
import { freshWorld } from '../../server/testing/world.ts';
import { press } from './drive.ts';
import { holdRequests } from './held-requests.ts';
import { replaceText, waitForText, waitForValue } from './office.ts';

type Stage = World & { url: string; browser: Browser };

const test = suite<Stage>('the team, in the browser');
test.before(async (stage) => {
  const world = await freshWorld({ abuseLimits: false });
  Object.assign(stage, world, {
    url: await world.serve({ site: await builtSite() }),
    browser: await openBrowser(),
  });
});
test.after(async ({ browser, close }) => {
  await browser.close();
  await close();
});

const named = (role: string, name: string) => `::-p-aria([name="${name}"][role="${role}"])`;

test('an admin invites a colleague, who joins; clients and role take effect at once, and deactivating signs them out', async ({
  url,
  browser,
  build,
  services,
  deliverMail,
}) => {
  const asha = await build.account();
  await services.subscription.startTrial(asha.actor);
  const admin = await openPage(browser);
  await signIn(admin, url, asha, '/team');
  const group_name = 'Rao family';
  for (const name of ['Rao Sons', 'Rao Traders']) await build.client(asha.actor, name, { group_name });
  await build.client(asha.actor, 'Sharma');
  await admin.locator(named('button', 'Invite people')).click();
  await admin.locator('textarea').fill('RAVI@rao.in');
  await admin.locator(named('button', 'Send invitations')).click();
  await admin.waitForSelector('::-p-text(ravi@rao.in)');

  const token = /token=([\w-]{43})/.exec((await deliverMail()).at(-1)!.text)![1]!;
  const ravi = await openPage(browser, { width: 390, height: 844 });
  await load(ravi, `${url}/join?token=${token}`);
  await ravi.locator('input[name="name"]').fill('Ravi Kumar');
  await ravi.locator('input[name="password"]').fill('a quiet morning');
  await ravi.locator('input[name="password_confirmation"]').fill('a quiet morning');
  await ravi.locator(named('button', 'Accept and sign in')).click();
  await ravi.waitForFunction("location.pathname === '/dashboard'");
  await ravi.waitForSelector(named('button', 'New'));

  // The new colleague appears in the list by itself.
  const handle = await admin.waitForSelector('tr:has([aria-label="Edit Ravi Kumar"]) td:last-child svg');
  assert.ok(await handle!.isVisible(), 'the row shows that it opens');
  const lastHeader = await admin.$eval('thead th:last-child', (header) => header.textContent);
  assert.is(lastHeader, 'Details');
  await admin.locator(named('button', 'Edit Ravi Kumar')).click();
  await admin.waitForSelector('::-p-text(Included for a person who sees all clients)');
  await admin.locator(named('button', 'Change the clients of Ravi Kumar')).click();
  await admin.waitForFunction(() => document.activeElement?.textContent?.startsWith('All clients'));
  await admin.locator('::-p-aria([name="All clients Clients they see"])').click();
  await admin.locator(named('option', 'Assigned clients only')).click();
  await admin.locator('[role="dialog"] input[type="search"]').fill('family');
  await admin.locator('[role="dialog"] label ::-p-text(Group Rao family)').click();
  await admin.waitForSelector('::-p-text(1 group and 0 clients chosen)');
  await admin.locator('[role="dialog"]:has([type="search"]) [type="submit"]').click();
  await admin.waitForSelector('::-p-text(Clients of Ravi Kumar saved)');
  await admin.waitForSelector('[role="dialog"] ::-p-text(2 clients)');
  await admin.locator('::-p-aria([name="Staff Role"])').click();
  await admin.locator(named('option', 'Viewer')).click();
  await admin.locator(named('button', 'Save')).click();
  await admin.waitForSelector('::-p-text(Changes saved)');
  await load(ravi, `${url}/clients`);
  const listed = await ravi.$$eval('.client-name', (names) => names.map((name) => name.textContent));
  assert.equal(listed, ['Rao Sons', 'Rao Traders'], 'the clients of the group, and no other');
  await load(ravi, `${url}/dashboard`);
  assert.is(
    await ravi.$eval('[data-needs="documents.write"]', (button) => getComputedStyle(button).display),
    'none',
    'a viewer is offered no upload',
  );

  await admin.locator(named('button', 'Edit Ravi Kumar')).click();
  await admin.locator(named('button', 'Deactivate...')).click();
  await admin.locator(named('button', 'Deactivate')).click();
  await admin.waitForSelector('::-p-text(Ravi Kumar is deactivated)');
  await ravi.goto(`${url}/dashboard`);
  assert.is(new URL(ravi.url()).pathname, '/login');
  assert.equal([...admin.faults, ...ravi.faults], []);
});

test('an admin sets a daily download limit, which neither Esc nor Deactivate discards unasked; a colleague beyond it gets a message, and the admin sees without a reload that it is reached', async ({
  url,
  browser,
  build,
  services,
  deliverMail,
}) => {
  const asha = await build.account();
  const ravi = await build.colleague(asha.actor, { name: 'Ravi Kumar' });
  const files = [];
  for (const name of ['a.txt', 'b.txt']) files.push(await build.file(asha.actor, { name }));
  const admin = await openPage(browser);
  await signIn(admin, url, asha, '/team');
  const field = named('textbox', 'Files to download in a day');
  await admin.locator(named('button', 'Edit Ravi Kumar')).click();
  await replaceText(admin, field, 'many');
  await admin.locator(named('button', 'Save')).click();
  await admin.waitForSelector('::-p-text(Give a whole number from 1 to 1,00,000)');
  await press(admin, 'Escape');
  await admin.locator('[role="alertdialog"] button ::-p-text(Keep editing)').click();
  await admin.locator(named('button', 'Deactivate...')).click();
  await admin.waitForSelector('[role="alertdialog"] ::-p-text(Discard your changes?)');
  await admin.locator('[role="alertdialog"] button ::-p-text(Keep editing)').click();
  await replaceText(admin, field, '1');
  await admin.locator(named('button', 'Save')).click();
  await admin.waitForSelector('::-p-text(Changes saved)');

  const ravisPage = await openPage(browser);
  await signIn(ravisPage, url, ravi, '/dashboard');
  const [first] = files;
  assert.is((await fetch(url + (await services.documents.downloadUrl(ravi.actor, first!.id)))).status, 200);
  await admin.waitForSelector("::-p-text(Ravi Kumar has reached today's limit of 1 file)");
  await ravisPage.locator('[data-id][aria-label="b.txt"]').click({ button: 'right' });
  await ravisPage.locator('::-p-aria([name="Download"][role="menuitem"])').click();
  await ravisPage.waitForSelector('::-p-text(You have downloaded 1 file today, and your limit is 1 a day.)');
  const mails = (await deliverMail()).filter(({ subject }) => subject.includes('daily download limit'));
  assert.is(mails.length, 1);
  assert.equal([...admin.faults, ...ravisPage.faults], []);
});

test('a double click on "Send again" sends an invitation once, since the earlier e-mail becomes invalid with the next', async ({
  url,
  browser,
  build,
  services,
}) => {
  const asha = await build.account();
  await services.subscription.startTrial(asha.actor);
  const admin = await openPage(browser);
  await signIn(admin, url, asha, '/team');
  await admin.locator(named('button', 'Invite people')).click();
  await admin.locator('textarea').fill('ravi@rao.in');
  await admin.locator(named('button', 'Send invitations')).click();
  const { held, release } = await holdRequests(admin, '/send');
  await admin.locator('li button ::-p-text(Send again)').click({ count: 2 });
  await waitForValue(() => held.length, 1);
  await release();
  await waitForText(admin, 'A new link is on its way');
  assert.is(held.length, 1);
});

test('without e-mail the invite dialog offers links instead of sending, since nothing is sent, and the keyboard goes to addresses that are wrong', async ({
  url,
  browser,
  build,
  services,
}) => {
  const asha = await build.account();
  await services.subscription.startTrial(asha.actor);
  const admin = await openPage(browser);
  await signIn(admin, url, asha, '/team');
  await admin.evaluate(() => (document.body.dataset['sendsEmail'] = 'false'));
  await admin.locator(named('button', 'Invite people')).click();
  await admin.waitForSelector(named('button', 'Create links'));
  assert.is(await admin.$(named('button', 'Send invitations')), null);
  await admin.locator('textarea').fill('ravi@rao.in, ravi');
  await admin.locator(named('button', 'Create links')).click();
  // The next keys correct the addresses.
  await admin.waitForSelector('textarea[aria-invalid=true]:focus');
});

test('a full team is reported when the invite dialog opens, before addresses are typed for nothing', async ({
  url,
  browser,
  build,
}) => {
  const asha = await build.account();
  const admin = await openPage(browser);
  await signIn(admin, url, asha, '/team');
  await admin.locator(named('button', 'Invite people')).click();
  await admin.waitForSelector('[role=dialog] ::-p-text(so there is no seat left)');
});

test('after a colleague is deactivated the keyboard stays at the row, and one without clients reads why the drive and the list of clients are empty', async ({
  url,
  browser,
  build,
  services,
  db,
}) => {
  const asha = await build.account();
  await services.subscription.startTrial(asha.actor);
  const ravi = await build.colleague(asha.actor, { name: 'Ravi Kumar', role: 'staff' });
  await db('users').where('id', ravi.actor.userId).update({ client_scope: 'assigned' });
  const his = await openPage(browser);
  await signIn(his, url, ravi);
  await his.waitForSelector('::-p-text(No client is assigned to you yet)');
  await his.locator(named('link', 'Add clients')).click();
  await his.waitForSelector('::-p-text(before you add any: the firm may have them already)');

  const admin = await openPage(browser);
  await signIn(admin, url, asha, '/team');
  const row = named('button', 'Edit Ravi Kumar');
  await admin.locator(row).click();
  await admin.locator(named('button', 'Deactivate...')).click();
  await admin.locator(named('button', 'Deactivate')).click();
  await admin.waitForFunction(
    () => document.activeElement?.closest('tr')?.textContent?.includes('Deactivated') ?? false,
  );
});

test('an invalid invitation link is reported as no longer valid', async ({ url, browser }) => {
  const page = await openPage(browser);
  await load(page, `${url}/join?token=${'x'.repeat(43)}`);
  await page.waitForSelector('::-p-text(This invitation is no longer valid)');
});

test.run();
