import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { officeSuite, waitForText } from './office.ts';

const test = officeSuite('closed registration', { registration: 'closed' });

test('a vault that takes no new firms says so instead of the form, and offers it nowhere', async ({
  page,
  url,
}) => {
  await load(page, `${url}/register`);
  await waitForText(page, 'This vault takes no new firms. Ask a colleague for an invitation.');
  assert.is(await page.$('[name=name]'), null);
  for (const path of ['/', '/login']) {
    await load(page, url + path);
    assert.is(await page.$('a[href="/register"]'), null, path);
  }
});

test.run();
