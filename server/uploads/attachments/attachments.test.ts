import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { createPreviews } from '#server/previews/service.ts';
import { attached, eml, msg } from '#server/previews/testing/mails.ts';
import { bearer } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { createRepeats } from '../repeats.ts';
import type { SavedAttachments } from './contract.ts';
import { createAttachments } from './service.ts';

interface Office extends World {
  base: string;
  actor: Actor;
  token: string;
}

const test = suite<Office>('attachments of e-mails saved in the drive');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  Object.assign(office, { base: await office.serve(), ...(await office.build.account()) });
});
test.after.each(async (office) => {
  office.services.previews.stop();
  await office.close();
});

const NOTICE = Buffer.from('%PDF-1.4 notice');
const mailWith = (files: Record<string, Buffer>): Buffer =>
  eml(
    ['From: Ravi <ravi@sharma.in>', 'To: office@rao.in', 'Subject: Notice'],
    [
      { head: ['Content-Type: text/plain'], body: 'Attached.' },
      ...Object.entries(files).map(([name, content]) => attached(name, 'application/octet-stream', content)),
    ],
  );
/** Places begin with 1. */
async function save(
  { base, token }: Office,
  id: number,
  attachments: number[] | null = null,
  as = token,
): Promise<{ status: number; data: SavedAttachments; message?: string; code?: string }> {
  const response = await fetch(`${base}/api/documents/${id}/attachments/save`, {
    method: 'POST',
    body: JSON.stringify({ attachments }),
    headers: { ...bearer(as), 'content-type': 'application/json' },
  });
  return { status: response.status, ...((await response.json()) as { data: SavedAttachments }) };
}
const namesIn = async ({ services, actor }: Office, folder: number | null): Promise<string[]> =>
  (await services.documents.folder(actor, folder)).items.map(({ name }) => name).toSorted();
async function blobCount({ blobs }: Office): Promise<number> {
  const all = await Array.fromAsync(blobs.list());
  return all.length;
}

test('all attachments become documents in the folder of the e-mail and of its client, types that uploads refuse are refused, and the history says so', async (office) => {
  const { build, actor, services, blobs, db } = office;
  const client = await build.client(actor, 'Sharma Traders');
  const folder = await build.folder(actor, 'Notices');
  const place = { parent_id: folder.id, client_id: client };
  await build.file(actor, { name: 'Notice.pdf', content: 'another', ...place });
  const files = {
    'Notice.pdf': NOTICE,
    'setup.exe': Buffer.from('MZ'),
    'Reply.docx': Buffer.from('reply'),
    'Bill.pdf': Buffer.from(`MZ${'\0'.repeat(62)}`),
  };
  const mail = await build.file(actor, { name: 'Mail.eml', content: mailWith(files), ...place });

  const { status, data } = await save(office, mail.id);
  assert.is(status, 200);
  assert.equal(
    data.saved.map(({ name, earlier }) => [name, earlier]),
    [
      ['Notice (2).pdf', false],
      ['Reply.docx', false],
      ['Bill.pdf', false],
    ],
    'a name that is taken gets a number',
  );
  assert.equal(data.refused, [
    {
      name: 'setup.exe',
      message: 'File type "exe" is not supported. You can download it from the e-mail instead.',
    },
  ]);
  const [notice, , bill] = data.saved;
  const item = await services.documents.item(actor, notice!.id);
  assert.equal([item.parent_id, item.client_id], [folder.id, client]);
  const { blob_id } = await services.documents.openFile(actor, notice!.id);
  assert.equal(await buffer(await blobs.get(blob_id)), NOTICE);
  assert.is(
    (await services.documents.item(actor, bill!.id)).held_back,
    'program',
    'it is checked like an upload',
  );
  const { data: history } = await services.audit.list(actor, { item: mail.id, kind: 'added' });
  assert.equal(
    history.map(({ what, about }) => `${what} ${about}`),
    ['Saved the attachments of Mail.eml', 'Uploaded Mail.eml'],
  );
  assert.is(
    (await db('audit_events').where({ did: 'document.upload', subject: `item:${notice!.id}` })).length,
    1,
  );
  assert.is(
    (await db('audit_events').where({ did: 'document.download' })).length,
    0,
    'nothing left the vault',
  );
});

test('a request that is repeated, or sent twice at once, saves nothing twice, and what was deleted can be saved again', async (office) => {
  const { build, actor, services } = office;
  const files = { 'a.pdf': NOTICE, 'b.pdf': Buffer.from('b') };
  const mail = await build.file(actor, { name: 'Mail.eml', content: mailWith(files) });
  const [one, other] = await Promise.all([save(office, mail.id), save(office, mail.id)]);
  const ids = ({ data }: typeof one) => data.saved.map(({ id }) => id);
  assert.equal(ids(one), ids(other));
  assert.equal(await namesIn(office, null), ['Mail.eml', 'a.pdf', 'b.pdf']);
  const before = await blobCount(office);
  const again = await save(office, mail.id, [1]);
  assert.equal(again.data, {
    saved: [{ id: ids(one)[0], name: 'a.pdf', attachment: 'a.pdf', parent_id: null, earlier: true }],
    refused: [],
  });
  assert.is(await blobCount(office), before, 'no bytes stay behind');
  await services.documents.remove(actor, [ids(one)[0]!]);
  assert.equal(
    (await save(office, mail.id, [1])).data.saved.map(({ earlier }) => earlier),
    [false],
  );
});

test('an attachment is saved anew once the saved file holds something else, or nobody would find it again', async (office) => {
  const { build, actor, services, advance } = office;
  const mail = await build.file(actor, { name: 'Mail.eml', content: mailWith({ 'a.pdf': NOTICE }) });
  const [first] = (await save(office, mail.id)).data.saved;
  advance(60_000);
  await services.documents.rename(actor, first!.id, { name: 'Notice.pdf' });
  assert.is((await save(office, mail.id)).data.saved[0]!.id, first!.id, 'its name may change');
  await services.documents.rename(actor, first!.id, { name: 'a.pdf' });
  await build.file(actor, { name: 'a.pdf', content: 'another', conflict: 'replace' });
  const { saved } = (await save(office, mail.id)).data;
  assert.equal(
    saved.map(({ name, attachment, earlier }) => [name, attachment, earlier]),
    [['a (2).pdf', 'a.pdf', false]],
  );
  assert.is((await save(office, mail.id)).data.saved[0]!.earlier, true);
});

test('one attachment of an Outlook e-mail is saved alone, and one that it does not have is not found', async (office) => {
  const { build, actor } = office;
  const content = msg({
    subject: 'Form',
    from: { name: 'Ravi', address: 'ravi@sharma.in' },
    to: [{ name: 'Office', address: 'office@rao.in' }],
    sentAt: '2026-11-02T10:00:00Z',
    text: 'Attached.',
    attachments: [
      { name: 'Form 16.pdf', content: NOTICE },
      { name: 'Form 26AS.pdf', content: Buffer.from('26AS') },
    ],
  });
  const mail = await build.file(actor, { name: 'Form.msg', content });
  assert.is((await save(office, mail.id, [3])).status, 404);
  assert.is((await save(office, mail.id, [])).status, 422);
  await save(office, mail.id, [2]);
  assert.equal(await namesIn(office, null), ['Form 26AS.pdf', 'Form.msg']);
});

/** Saves all attachments with previews of their own. */
async function saveBy(
  { actor, services, blobs, db, now }: Office,
  mail: number,
  previewing: { blobs?: World['blobs']; limits?: { answer: number } },
): Promise<SavedAttachments> {
  const { documents, records, audit, jobs, auth, daily, uploads } = services;
  const parts = { documents, records, blobs, jobs, audit, daily, clock: now, viewer: auth.viewer };
  const previews = createPreviews({ ...parts, log: { info: () => {} }, ...previewing });
  const repeats = createRepeats({ db, clock: now, documents });
  const attachments = createAttachments({ ...parts, previews, uploads, repeats, again: auth.again });
  try {
    return await attachments.save(actor, mail, { attachments: null });
  } finally {
    previews.stop();
  }
}

test('an attachment that is too large to be taken out of the e-mail is refused, and the others are saved', async (office) => {
  const content = mailWith({ 'Scan.pdf': randomBytes(9000), 'a.pdf': NOTICE });
  const mail = await office.build.file(office.actor, { name: 'Mail.eml', content });
  const { saved, refused } = await saveBy(office, mail.id, { limits: { answer: 5000 } });
  assert.equal([saved.map(({ name }) => name), refused.map(({ name }) => name)], [['a.pdf'], ['Scan.pdf']]);
  assert.match(refused[0]!.message, /^It cannot be taken out of the e-mail here\./);
});

test('an e-mail is read once for all its attachments, since each reading takes longer the more there are', async (office) => {
  const { build, actor, services, blobs } = office;
  const names = Array.from({ length: 30 }, (_, n) => `${n}.pdf`);
  const content = mailWith(Object.fromEntries(names.map((name) => [name, Buffer.from(name)])));
  const mail = await build.file(actor, { name: 'Mail.eml', content });
  let reads = 0;
  const counted: typeof blobs = { ...blobs, get: (...of) => ((reads += 1), blobs.get(...of)) };
  const { saved } = await saveBy(office, mail.id, { blobs: counted });
  assert.equal(
    saved.map(({ name }) => name),
    names,
  );
  assert.is(reads, 3, 'its list of attachments is made, read, and they are taken out');
  const { blob_id } = await services.documents.openFile(actor, saved[29]!.id);
  assert.is(String(await buffer(await blobs.get(blob_id))), '29.pdf');
});

test('who may not add to the folder saves nothing: without permission, in a sealed folder, without room', async (office) => {
  const { build, actor, services, db } = office;
  const folder = await build.folder(actor, 'Filed');
  const content = mailWith({ 'a.pdf': NOTICE });
  const mail = await build.file(actor, { name: 'Mail.eml', content, parent_id: folder.id });
  const viewer = await build.colleague(actor, { role: 'viewer' });
  assert.is((await save(office, mail.id, null, viewer.token)).status, 403);
  const stranger = await build.account();
  assert.is((await save(office, mail.id, null, stranger.token)).status, 404);
  const before = await blobCount(office);
  const made_at = office.now().toISOString();
  await db('storage_reservations').insert({
    firm_id: actor.firmId,
    bytes: 1024 ** 5,
    lasting: true,
    made_at,
  });
  assert.is((await save(office, mail.id)).code, 'quota_exceeded');
  await db('storage_reservations').delete();
  await services.seals.seal(actor, folder.id, { reason: 'As filed' });
  const sealed = await save(office, mail.id);
  assert.equal([sealed.status, sealed.code], [422, 'sealed']);
  assert.is(await blobCount(office), before);
  assert.equal(await namesIn(office, folder.id), ['Mail.eml']);
});

test('a person with assigned clients saves into the real folder of the e-mail, also where it is not shown to them', async (office) => {
  const { build, actor, services, db } = office;
  const client = await build.client(actor, 'Sharma Traders');
  const folder = await build.folder(actor, 'Inbox of the office');
  const mail = await build.file(actor, {
    name: 'Mail.eml',
    content: mailWith({ 'a.pdf': NOTICE }),
    parent_id: folder.id,
    client_id: client,
  });
  const assigned = await build.colleague(actor, { role: 'manager', client_scope: 'assigned' });
  await db('users')
    .where({ id: assigned.actor.userId })
    .update({ permissions_taken: '["documents.unassigned"]' });
  await db('user_clients').insert({ user_id: assigned.actor.userId, client_id: client });
  const { status, data } = await save(office, mail.id, null, assigned.token);
  assert.is(status, 200);
  assert.equal(await namesIn(office, folder.id), ['Mail.eml', 'a.pdf']);
  assert.is((await services.documents.item(assigned.actor, data.saved[0]!.id)).client_id, client);
  await services.seals.seal(actor, folder.id, { reason: 'Dispute with the bank' });
  const sealed = await save(office, mail.id, null, assigned.token);
  assert.is(sealed.code, 'sealed');
  assert.not.match(sealed.message!, 'Dispute', 'why is for those who see the folder');
});

test.run();
