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

test('the undo of a link says of every item which client it had, so that a colleague’s later link of one of thousands stays', async () => {
  const asked: { ids: number[]; seen: { id: number; client_id: number; undoing: boolean }[] }[] = [];
  const fetch = async (_: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body));
    return Response.json({ success: true, data: { failed: [] } });
  };
  Object.assign(globalThis, { fetch });
  const ids = Array.from({ length: 2500 }, (_, nth) => nth + 1);
  await documentCalls.restoreClients(
    ids.map((id) => ({ id, client_id: null })),
    7,
  );
  assert.equal(
    asked.flatMap((call) => call.ids),
    ids,
  );
  assert.equal(
    asked.flatMap(({ seen }) => seen),
    ids.map((id) => ({ id, client_id: 7, undoing: true })),
  );
});

test.run();
