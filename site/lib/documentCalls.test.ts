import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { messageOf } from './apiError.ts';
import { documentCalls } from './documentCalls.ts';

Object.assign(globalThis, { document: { cookie: 'XSRF-TOKEN=token' } });
const answerWith = (body: object) =>
  Object.assign(globalThis, { fetch: async () => Response.json({ success: true, ...body }) });
const shown = (call: Promise<string>): Promise<string> =>
  call.catch((error: unknown) => messageOf(error, 'Failed to download file. Please try again.'));

test('an answer without a link is reported, because the browser would go to the page "undefined"', async () => {
  for (const body of [{}, { data: null }, { data: {} }, { data: { download_url: '' } }]) {
    answerWith(body);
    assert.is(await shown(documentCalls.downloadUrl(1)), 'Failed to generate download link');
    assert.is(await shown(documentCalls.zipUrl([1, 2])), 'Failed to generate download link');
    assert.is(await shown(documentCalls.downloadUrl(1, { inline: true })), 'Failed to generate preview URL');
  }
});

test('the link is taken from the top of the answer or from its data', async () => {
  answerWith({ data: {}, download_url: '/a?token=x' });
  assert.is(await shown(documentCalls.downloadUrl(1)), '/a?token=x');
  assert.is(await shown(documentCalls.downloadUrl(1, { inline: true })), '/a?token=x&inline=1');
  answerWith({ data: { download_url: '/b' } });
  assert.is(await shown(documentCalls.downloadUrl(1)), '/b');
  assert.is(await shown(documentCalls.zipUrl([1, 2])), '/b');
});

test.run();
