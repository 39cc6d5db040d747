import * as assert from 'uvu/assert';
import { load, openPage } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';
import type { Office } from './office.ts';
import { officeSuite } from './office.ts';
import { cramped, pseudoSite, untranslated } from './pseudo.ts';

// Every text is among the messages, so that another language can be added as one more folder, and every screen has
// room for a longer one: seen in English in disguise.
const test = officeSuite('a language that nobody speaks', { site: pseudoSite });

const SIZES = [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
] as const;

/** The product's name, a key, what stands in the fields of these tests, and what the server says, which is English. */
const EXCEPT = ['Almirah', 'asha@rao.in', 'Asha Rao', 'alt+T'];

async function check(page: WatchedPage, what: string): Promise<void> {
  assert.equal(await untranslated(page, EXCEPT), [], `${what}: nothing is left in English`);
  assert.equal(await cramped(page), [], `${what}: everything has room`);
}

/** At both sizes, each in a window of its own. */
async function atEachSize({ browser }: Office, visit: (page: WatchedPage, where: string) => Promise<void>) {
  for (const size of SIZES) {
    const page = await openPage(browser, size);
    await visit(page, `at ${size.width} px`);
  }
}

test('signing in and registering', async (office) => {
  await atEachSize(office, async (page, where) => {
    for (const path of ['/login', '/forgot-password', '/reset-password', '/confirm-email']) {
      await load(page, office.url + path);
      assert.is(await page.$eval('html', ({ lang }) => lang), 'en-XA');
      await check(page, `${path} ${where}`);
    }
    await load(page, `${office.url}/register`);
    for (const values of [
      { name: 'Asha Rao', email: 'asha@rao.in' },
      { ca_license_number: '123456', phone: '9820012345', firm_name: 'R & S' },
      { password: '4 grey owls by night', password_confirmation: '4 grey owls by night' },
      {},
    ]) {
      await check(page, `/register ${where}`);
      for (const [name, value] of Object.entries(values)) await page.type(`[name=${name}]`, value);
      if (Object.keys(values).length > 0) await page.click('form button[type=submit]');
    }
  });
});

test.run();
