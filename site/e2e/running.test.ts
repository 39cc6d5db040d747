import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { ASHA, officeSuite, waitForText } from './office.ts';

const test = officeSuite('the screens of administrators');

const PHONE = { width: 390, height: 844 };

/** Elements whose content is wider than they are, which a phone would cut off. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, main section')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => `${element.tagName} ${element.querySelector('h2')?.textContent ?? ''}`),
  );

test('System and Backups fit a phone and pass axe, also with a very long word in an error message', async ({
  page,
  url,
  world,
}) => {
  const word = 'ENOSPC'.repeat(12);
  const now = world.now().toISOString();
  await world.db('jobs').insert({
    kind: 'previews',
    subject: 'x',
    input: '{}',
    data: '{}',
    status: 'failed',
    code: 'internal',
    message: `/mnt/${word} cannot be read`,
    progress: 0,
    attempts: 3,
    due_at: now,
    created_at: now,
    finished_at: now,
  });
  await page.setViewport(PHONE);
  await signIn(page, url, ASHA, '/recent');
  for (const [path, text] of [
    ['/system', word],
    ['/backups', 'Nobody has saved it yet'],
  ] as const) {
    await load(page, url + path);
    await waitForText(page, text);
    assert.equal(await tooWide(page), [], path);
    assert.equal(await violations(page), [], path);
  }
});

test('the notice of the recovery sheet takes one line of a phone, since it is on every screen', async ({
  page,
  url,
  world,
}) => {
  const notice = { alarm: null, sheet_missing: true };
  Object.defineProperty(world.services.backups, 'notice', { value: async () => notice });
  await page.setViewport(PHONE);
  await signIn(page, url, ASHA, '/recent');
  const heightOf = (selector: string) =>
    page.$eval(selector, (element) => element.getBoundingClientRect().height);
  assert.ok((await heightOf('#backup-notice')) < 2 * (await heightOf('#backup-notice a')));
  assert.equal(await violations(page), []);
});

test('an e-mail that is sent again and refused again is shown as given up without a reload', async ({
  page,
  url,
  world,
}) => {
  const { mail } = world.services;
  await world.db.transaction((trx) =>
    mail.send(trx, {
      to: { name: 'Meera', email: 'meera@iyer.in' },
      kind: 'team.invitation',
      email: { subject: 'Join us', parts: ['Come.'] },
    }),
  );
  const refuse = (message: string) =>
    world
      .db('jobs')
      .where({ kind: 'letter', subject: 'team.invitation' })
      .update({ status: 'failed', code: 'internal', attempts: 1, message });
  await refuse('550 No such mailbox');
  await signIn(page, url, ASHA, '/recent');
  await load(page, `${url}/system`);
  await waitForText(page, '550 No such mailbox');
  await page.locator('button[aria-label="Send again to meera@iyer.in"]').click();
  await waitForText(page, 'Still being tried');
  await refuse('550 Still no such mailbox');
  await waitForText(page, '550 Still no such mailbox');
  await waitForText(page, 'Given up');
});

test.run();
