import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import yauzl from 'yauzl';
import { rejects } from '#server/testing/rejects.ts';
import type { Office } from './testing/recipient.ts';
import { eachOffice, recipient } from './testing/recipient.ts';
import type { Visitor } from './visitors.ts';

const EMAIL = 'owner@sharma.in';

const test = suite<Office>('what a client’s page shows of other clients');
eachOffice(test);

/** A folder of one client with a file and a folder of another, and one of each that belong to the client. */
async function furnish({ build, asha }: Office) {
  const { actor } = asha;
  const sharma = await build.client(actor, 'Sharma', {
    name: 'Sharma',
    client_type: 'Individual',
    email: EMAIL,
  });
  const mehta = await build.client(actor, 'Mehta');
  const top = await build.folder(actor, 'Shared');
  const [own, theirs] = [
    await build.folder(actor, 'Own', top.id),
    await build.folder(actor, 'Theirs', top.id),
  ];
  const put = (name: string, parent: { id: number }, client_id: number | null = null) =>
    build.file(actor, { name, content: `bytes of ${name}`, parent_id: parent.id, client_id });
  const files = {
    mine: await put('mine.txt', top),
    below: await put('below.txt', own),
    secret: await put('secret.txt', top, mehta),
    hidden: await put('hidden.txt', theirs),
  };
  return { actor, sharma, mehta, top, own, theirs, ...files };
}

/** Opens the client's page and follows it to a link. */
async function throughPage(
  { services, deliverMail }: Office,
  actor: Office['asha']['actor'],
  of: { client: number; link: number },
): Promise<Visitor> {
  const { url } = await services.portal.office.make(actor, { client_id: of.client, emails: [] });
  const who = {
    token: url.slice(url.lastIndexOf('/') + 1),
    cookie: randomBytes(32).toString('base64url'),
    ip: '127.0.0.1',
    language: 'en' as const,
  };
  await services.portal.visitors.requestCode(who, EMAIL);
  const sent = (await deliverMail()).findLast(({ kind }) => kind === 'portal.code')!;
  assert.ok(await services.portal.visitors.verifyCode(who, sent.subject.slice(0, 6)));
  return { ...who, token: await services.portal.visitors.passTo(who, of.link) };
}

async function zipNames({ services }: Office, visitor: Visitor, ids: number[] = []): Promise<string[]> {
  const { recipients } = services.sharing;
  const sent = await recipients.download(visitor, await recipients.begin(visitor, ids));
  const names: string[] = [];
  const zip = await yauzl.fromBufferPromise(await buffer(await sent.open()));
  for await (const entry of zip.eachEntry()) names.push(entry.fileName);
  return names.toSorted();
}

const rowsOf = async ({ services }: Office, visitor: Visitor, folder?: number) => {
  const page = await services.sharing.recipients.list(visitor, folder === undefined ? {} : { folder });
  return page.state === 'open' ? page.items.map(({ name, size }) => [name, size]) : page.state;
};

test('a folder on a client’s page shows nothing of another client that lies in it, since the client must not read that', async (office) => {
  const { services, share } = office;
  const { actor, sharma, mehta, top, own, theirs, mine, secret, hidden } = await furnish(office);
  await services.documents.setClientOfMany(actor, { ids: [top.id], client_id: sharma, contents: 'unlinked' });
  const { id: link, url } = await share([top.id], { on_portal: true });
  await services.documents.setClientOfMany(actor, { ids: [theirs.id], client_id: mehta, contents: 'all' });

  const anyone = recipient(office, office.address, url).visitor;
  const client = await throughPage(office, actor, { client: sharma, link });
  for (const visitor of [client, anyone]) {
    assert.equal(await rowsOf(office, visitor), [
      ['Own', '1 item'],
      ['mine.txt', '17 B'],
    ]);
    assert.is(await rowsOf(office, visitor, theirs.id), 'gone');
    assert.is((await services.sharing.recipients.file(visitor, secret.id)).state, 'gone');
    assert.equal(await zipNames(office, visitor), [
      'Shared/',
      'Shared/Own/',
      'Shared/Own/below.txt',
      'Shared/mine.txt',
    ]);
    for (const id of [secret.id, hidden.id, theirs.id])
      await rejects(services.sharing.recipients.begin(visitor, [mine.id, id]), 404);
    await rejects(services.sharing.recipients.page(visitor, secret.id, 1), 404);
  }

  await services.documents.move(actor, { ids: [secret.id], parent_id: own.id, conflicts: 'keep' });
  assert.equal(await rowsOf(office, client, own.id), [['below.txt', '18 B']], 'nor what is put in later');
  await services.documents.setClient(actor, secret.id, { client_id: sharma });
  assert.is((await rowsOf(office, client, own.id)).length, 2, 'only what belongs to the client');
});

test('a link that names a client’s address shows on the client’s page nothing of another client, and by its own address all that was shared', async (office) => {
  const { services, share, build } = office;
  const { actor, sharma, mehta, top, own, secret } = await furnish(office);
  await services.documents.setClient(actor, own.id, { client_id: sharma });
  const { id: link } = await share([top.id], { audience: 'named', emails: [EMAIL] });
  const client = await throughPage(office, actor, { client: sharma, link });
  const names = async () => ((await rowsOf(office, client)) as string[][]).map(([name]) => name);
  assert.equal(await names(), ['Own', 'Theirs', 'mine.txt'], 'what belongs to no client is there');
  await rejects(services.sharing.recipients.begin(client, [secret.id]), 404);

  const plain = recipient(office, office.address, (await share([top.id])).url);
  assert.equal(
    await plain.names(),
    ['Own', 'Theirs', 'mine.txt', 'secret.txt'],
    'a link that stands on no page',
  );

  const { actor: ravi } = await build.colleague(actor, { role: 'manager', client_scope: 'assigned' });
  await services.access.assign(actor, ravi.userId, {
    client_scope: 'assigned',
    client_ids: [mehta],
    groups: [],
  });
  assert.is((await services.documents.views(ravi, [own.id])).length, 0);
  assert.equal(
    await services.documents.views({ ...ravi, onlyClient: sharma }, [own.id, secret.id]),
    [],
    'narrowing to a client shows nothing that the maker does not see',
  );
});

test.run();
