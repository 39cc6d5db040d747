import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refused } from '../testing/refused.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { LINK_LIFETIME, createDownloadTokens } from './signed.ts';

const test = suite<World>('documents: download links');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

const tokenOf = (url: string) => new URL(url, 'http://x').searchParams.get('token')!;

test('a link opens its one item, again and again, for five minutes', async ({
  services: { documents },
  build,
  pass,
}) => {
  const actor = await build.actor();
  const [file, other] = [
    await build.file(actor, { name: 'a.txt' }),
    await build.file(actor, { name: 'b.txt' }),
  ];
  const url = await documents.downloadUrl(actor, file.id);
  assert.ok(url.startsWith(`/api/documents/${file.id}/content?token=`));
  const token = tokenOf(url);
  pass(LINK_LIFETIME - 1);
  for (let n = 0; n < 2; n += 1) {
    const opened = await documents.resolveDownload(token, file.id);
    assert.equal(opened.item, { id: file.id, name: 'a.txt', type: 'file' });
    assert.is(opened.actor.userId, actor.userId);
  }
  assert.is((await refused(documents.resolveDownload(token, other.id), 403)).code, 'bad_link');
  pass(1);
  await refused(documents.resolveDownload(token, file.id), 403);
});

test('a link ends with the session it was made in, and with its item', async ({
  services: { documents, auth },
  build,
}) => {
  const actor = await build.actor();
  const [file, folder] = [await build.file(actor), await build.folder(actor)];
  const [toFile, toFolder] = [
    await documents.downloadUrl(actor, file.id),
    await documents.downloadUrl(actor, folder.id),
  ];
  assert.is((await documents.resolveDownload(tokenOf(toFolder), folder.id)).item.type, 'folder');
  await documents.remove(actor, [file.id]);
  await refused(documents.resolveDownload(tokenOf(toFile), file.id), 404);
  await auth.signOut(actor);
  await refused(documents.resolveDownload(tokenOf(toFolder), folder.id), 403);
});

test('a token that is altered in any place, or sealed by another server, opens nothing', () => {
  const tokens = createDownloadTokens(randomBytes(32));
  const link = { itemId: 17, sessionId: 3, expiresAt: 1_000_000 };
  const token = tokens.issue(link);
  assert.equal(tokens.read(token, 999_999), link);
  for (let at = 0; at < token.length - 1; at += 1) {
    const altered = token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
    assert.is(tokens.read(altered, 0), null, altered);
  }
  for (const text of [
    '',
    '.',
    '...',
    'x',
    token.slice(0, -5),
    `${token}.`,
    createDownloadTokens(randomBytes(32)).issue(link),
  ]) {
    assert.is(tokens.read(text, 0), null, text);
  }
});

test.run();
