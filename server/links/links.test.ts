import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { testActor } from '../testing/actor.ts';
import { LINK_LIFETIME_MS, createLinks } from './links.ts';

const test = suite<World>('download links');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

const LOOK = { sending: false, inline: true };
const tokenOf = (url: string) => new URL(url, 'http://x').searchParams.get('token')!;

test('a link opens only its own item, any number of times, for five minutes', async ({
  services: { documents, downloads },
  build,
  advance,
}) => {
  const actor = await build.actor();
  const [file, other] = [
    await build.file(actor, { name: 'a.txt' }),
    await build.file(actor, { name: 'b.txt' }),
  ];
  const url = await documents.downloadUrl(actor, file.id);
  assert.ok(url.startsWith(`/api/documents/${file.id}/content?token=`));
  const token = tokenOf(url);
  advance(LINK_LIFETIME_MS - 1);
  for (let n = 0; n < 2; n += 1) {
    assert.is((await downloads.open(token, file.id, LOOK)).name, 'a.txt');
  }
  assert.is((await rejects(downloads.open(token, other.id, LOOK), 403)).code, 'bad_link');
  advance(1);
  await rejects(downloads.open(token, file.id, LOOK), 403);
});

test('a link ends with the session in which it was made, and when its item is deleted', async ({
  services: { documents, downloads, auth },
  build,
}) => {
  const actor = await build.actor();
  const [file, folder] = [await build.file(actor), await build.folder(actor)];
  const [toFile, toFolder] = [
    await documents.downloadUrl(actor, file.id),
    await documents.downloadUrl(actor, folder.id),
  ];
  assert.is((await downloads.open(tokenOf(toFolder), folder.id, LOOK)).fileType, 'zip');
  await documents.remove(actor, [file.id]);
  await rejects(downloads.open(tokenOf(toFile), file.id, LOOK), 404);
  await auth.signOut(actor);
  await rejects(downloads.open(tokenOf(toFolder), folder.id, LOOK), 403);
});

test('a token that is altered anywhere, or signed by another server, is refused', async () => {
  const linksOf = (secret: Buffer) =>
    createLinks({ secret, clock: () => new Date(0), actorOfSession: async () => testActor() });
  const links = linksOf(randomBytes(32));
  const token = links.sign({ sessionId: 3, permissions: ['documents.download'] }, 'item:17');
  assert.is((await links.open(token)).about, 'item:17');
  for (let index = 0; index < token.length - 1; index += 1) {
    const altered = token.slice(0, index) + (token[index] === 'a' ? 'b' : 'a') + token.slice(index + 1);
    await rejects(links.open(altered), 403);
  }
  const other = linksOf(randomBytes(32)).sign(
    { sessionId: 3, permissions: ['documents.download'] },
    'item:17',
  );
  for (const text of ['', '.', '...', 'x', token.slice(0, -5), `${token}.`, other])
    await rejects(links.open(text), 403);
});

test('somebody else who opens the link has the rights of its session, not their own, and does not save the look-up', async () => {
  const [maker, other] = [testActor(), testActor()].map((actor, index) => ({
    ...actor,
    sessionId: index + 3,
  }));
  const asked: number[] = [];
  const links = createLinks({
    secret: randomBytes(32),
    clock: () => new Date(0),
    actorOfSession: async (id) => (asked.push(id) > 0 ? maker! : null),
  });
  const token = links.sign(maker!, 'item:17');
  assert.is((await links.open(token, other)).actor, maker);
  assert.equal(asked, [3]);
  assert.is((await links.open(token, maker)).actor, maker);
  assert.equal(asked, [3], 'the user of this session was just looked up, for the request');
});

test.run();
