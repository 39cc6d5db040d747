import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refuseWrites } from '#server/testing/refuse-writes.ts';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const test = suite<Office>('what clients send by a request');
eachOffice(test);

test('files sent by a plain form and over tus go into the request’s folder, linked to the client and marked new until opened', async (office) => {
  const { asha, services, client, address } = office;
  const { id, url, rows } = await office.ask(['Form 16 for FY 2025-26', 'Bank statement']);
  const meera = sender(office, address, url);
  assert.is((await meera.files(rows[0]!, [['IMG_2041.pdf', pdf('one')]])).get('said'), 'arrived');
  const last = await meera.upload(rows[1]!, 'HDFC April.pdf', pdf('two'));
  assert.is(last.status, 200, await last.clone().text());

  const view = await services.requests.office.view(asha.actor, id);
  assert.equal(
    view.rows.map(({ state, files }) => [state, files.map(({ name, is_new }) => [name, is_new])]),
    [
      ['received', [['Form 16 for FY 2025-26.pdf', true]]],
      ['received', [['HDFC April.pdf', true]]],
    ],
  );
  assert.is(view.waiting_for, 'office');
  const folder = view.folder_id!;
  assert.equal(await office.names(null), ['Meera Iyer'], 'the client’s own folder');
  const [item] = await services.documents.views(asha.actor, [folder]);
  assert.is(item?.client_id, client);
  const listed = async () =>
    (await services.documents.folder(asha.actor, folder)).items.flatMap(({ name, is_new }) =>
      is_new ? [name] : [],
    );
  const found = async () =>
    (await services.documents.files(asha.actor, { new: '1' })).items.map(({ name }) => name).toSorted();
  assert.equal(await listed(), ['Form 16 for FY 2025-26.pdf', 'HDFC April.pdf'], 'marked in the drive');
  assert.equal(await found(), await listed());
  await office.build.file(asha.actor, { name: 'Own.pdf' });
  assert.is((await found()).length, 2, 'what the firm uploads itself is not new');
  await services.documents.noteOpened(asha.actor, view.rows[1]!.files[0]!.item_id!);
  await services.deferred.flush();
  // Of what a user has opened only the last is remembered.
  await office.db('touches').delete();
  assert.equal(await listed(), ['Form 16 for FY 2025-26.pdf']);
  assert.equal(await found(), await listed());
  assert.is((await services.requests.office.view(asha.actor, id)).fresh, 1);
  const accepted = { state: 'accepted', reason: '' } as const;
  await services.requests.office.judge(asha.actor, id, rows[0]!, accepted);
  assert.equal(await found(), [], 'whoever accepts a document has looked at it');
  assert.equal(await office.db('storage_reservations'), []);
  assert.equal(await services.records.recount(), []);
});

/** Lets a client send one file for a request of this title. */
async function receive(office: Office, title: string, client = office.client): Promise<void> {
  const { url, rows } = await office.ask(['Form 16'], { title, client_ids: [client], send: false });
  await sender(office, office.address, url).files(rows[0]!, [[`${title}.pdf`, pdf(title)]]);
}
/** The folders, and the folders in each. */
async function tree({ services, asha, names }: Office): Promise<[string, string[]][]> {
  const { items } = await services.documents.folder(asha.actor, null);
  return Promise.all(items.map(async ({ id, name }): Promise<[string, string[]]> => [name, await names(id)]));
}

test('a client without a folder gets one of the client’s name for all that comes, for the folder of a first request is not the place of the second', async (office) => {
  const { build, services, asha } = office;
  await receive(office, 'ITR');
  await receive(office, 'GST');
  const namesake = await build.client(asha.actor, 'Meera Iyer');
  await receive(office, 'ITR', namesake);
  await receive(office, 'GST', namesake);
  assert.equal(await tree(office), [
    ['Meera Iyer', ['GST', 'ITR']],
    ['Meera Iyer (2)', ['GST', 'ITR']],
  ]);
  // A folder that an office has named otherwise.
  const other = await build.client(asha.actor, 'A. Shah');
  await services.documents.createFolder(asha.actor, { name: 'Family', parent_id: null, client_id: other });
  await receive(office, 'ITR', other);
  assert.equal((await tree(office))[0], ['Family', ['ITR']]);
});

test('a folder at the top that was made for a request or a drop link is not taken for the client’s own', async (office) => {
  const { services, asha, db, build, client } = office;
  const other = await build.client(asha.actor, 'Shah');
  await office.ask(['Form 16'], { title: 'ITR' });
  await services.drops.make(asha.actor, { client_id: other });
  for (const [table, client_id, name] of [
    ['requests', client, 'ITR'],
    ['drop_links', other, 'Received'],
  ] as const) {
    // As they were made before clients got folders of their own.
    const { id } = await services.documents.createFolder(asha.actor, { name, parent_id: null, client_id });
    await db(table).update({ folder_id: id });
    await receive(office, 'GST', client_id);
  }
  assert.equal(await tree(office), [
    ['ITR', []],
    ['Meera Iyer', ['GST']],
    ['Received', []],
    ['Shah', ['GST']],
  ]);
});

test('a file that is no document, or whose content contradicts its name, is refused with the reason and leaves nothing', async (office) => {
  const { address, db } = office;
  const { url, rows } = await office.ask(['Form 16']);
  const meera = sender(office, address, url);
  const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);
  const answered = await meera.upload(rows[0]!, 'form.pdf', program);
  const body = (await answered.json()) as { code: string; message: string };
  assert.equal([answered.status, body.code], [422, 'program']);
  assert.is((await meera.begin('none.pdf', 0, { row: String(rows[0]) })).status, 422);
  assert.is((await meera.begin('big.pdf', 251 * 1024 * 1024, { row: String(rows[0]) })).status, 422);
  for (const [name, content, code] of [
    ['form.pdf', program, 'program'],
    ['form.pdf', Buffer.from('no PDF at all'), 'not_what_it_says'],
    ['form.exe', Buffer.from('text'), 'kind'],
    ['form.pdf', Buffer.alloc(0), 'empty'],
  ] as const) {
    const said = await meera.files(rows[0]!, [[name, content]]);
    assert.equal([said.get('said'), said.get('file')], [code, name]);
  }
  assert.equal(await office.names(null), []);
  assert.equal(await db('arrivals'), []);
  assert.equal(await db('storage_reservations'), []);
  assert.is((await meera.open()).rows[0]!.state, 'wanted');
});

test('a form with five hundred files is received completely', async (office) => {
  const { address, services, asha } = office;
  const { id, url, rows } = await office.ask(['Bills']);
  const meera = sender(office, address, url);
  const bills = Array.from(
    { length: 500 },
    (_, index) => [`Bill ${index}.pdf`, pdf(`bill ${index}`)] as [string, Buffer],
  );
  assert.is((await meera.files(rows[0]!, bills)).get('said'), 'arrived');
  const { files } = (await services.requests.office.view(asha.actor, id)).rows[0]!;
  assert.is(new Set(files.map(({ name }) => name)).size, 500);
  assert.equal(await services.records.recount(), []);
});

test('of a form whose files cannot be recorded no bytes are left, or a full disk would stay full for a day', async (office) => {
  const { address, db, blobs } = office;
  const { url, rows } = await office.ask(['Form 16']);
  const files = ['a', 'b', 'c'].map((name): [string, Buffer] => [`${name}.pdf`, pdf(name)]);
  const allow = await refuseWrites(db, 'arrivals', 'INSERT');
  const sent = await sender(office, address, url).files(rows[0]!, files);
  assert.is(sent.get('said'), 'fault');
  assert.equal(await Array.fromAsync(blobs.list()), []);
  await allow();
});

test('the link of a request gives no access to rows, uploads or photographs of another request, nor without its form token', async (office) => {
  const { address } = office;
  const [one, other] = [await office.ask(['Form 16']), await office.ask(['PAN'])];
  const [meera, stranger] = [sender(office, address, one.url), sender(office, address, other.url)];
  assert.is((await stranger.begin('a.pdf', 9, { row: String(one.rows[0]) })).status, 404);
  const begun = await meera.begin('a.pdf', 9, { row: String(one.rows[0]) });
  const id = begun.headers.get('location')!.split('/').at(-1)!;
  assert.is(
    (await stranger.patch(`/r/${stranger.token}/uploads/${id}`, 0, Buffer.from('%PDF-1.4\n'))).status,
    404,
  );
  assert.is((await stranger.head(`/r/${stranger.token}/uploads/${id}`)).status, 404);
  assert.is((await meera.files(one.rows[0]!, [['a.pdf', pdf()]], 'forged')).get('said'), 'not_ours');
  const nobody = sender(office, address, '/r/nothing');
  assert.equal(await nobody.page(), { state: 'gone' });
});

test('a request that is closed, deleted or switched off during an upload accepts nothing more, and names the office while it exists, since the client has to know whom to call', async (office) => {
  const { address, services, asha } = office;
  const content = pdf('in two parts');
  for (const end of ['close', 'delete', 'switch off'] as const) {
    const { id, url, rows } = await office.ask(['Form 16']);
    const meera = sender(office, address, url);
    const begun = await meera.begin('a.pdf', content.length, { row: String(rows[0]) });
    const path = begun.headers.get('location')!;
    assert.is((await meera.patch(path, 0, content.subarray(0, 5))).status, 204);
    if (end === 'close') await services.requests.office.close(asha.actor, id, true);
    if (end === 'delete') await services.requests.office.remove(asha.actor, id);
    if (end === 'switch off') await services.sharing.links.set(asha.actor, { enabled: false, max_days: 90 });
    assert.is((await meera.patch(path, 5, content.subarray(5))).status, 404, end);
    const page = await meera.page();
    if (end === 'delete') assert.equal(page, { state: 'gone' });
    else
      assert.equal(
        page,
        {
          state: 'closed',
          firm: asha.user.firm_name,
          logo: null,
          from: { name: asha.user.name, email: asha.user.email },
          language: 'en',
        },
        end,
      );
  }
  assert.equal(await office.names(null), []);
});

test('a full vault refuses without naming a size, and a folder that was deleted, sealed or moved to another client is created again', async (office) => {
  const { address, services, asha, db, build } = office;
  const { id, url, rows } = await office.ask(['Form 16']);
  const meera = sender(office, address, url);
  await meera.files(rows[0]!, [['One.pdf', pdf('one')]]);
  const folderOf = async () => (await services.requests.office.view(asha.actor, id)).folder_id;
  const first = (await folderOf())!;
  await services.documents.remove(asha.actor, [first]);
  await meera.files(rows[0]!, [['Two.pdf', pdf('two')]]);
  const second = (await folderOf())!;
  assert.is.not(second, first);
  const other = await build.client(asha.actor, 'Somebody else');
  await services.documents.setClient(asha.actor, second, { client_id: other, contents: 'all' });
  await meera.files(rows[0]!, [['Three.pdf', pdf('three')]]);
  assert.is.not(await folderOf(), second);
  await db('plans').update({ storage_gb: 0 });
  await db('storage_reservations').insert({
    firm_id: asha.actor.firmId,
    bytes: 1e15,
    lasting: true,
    made_at: office.now().toISOString(),
  });
  const full = await meera.begin('a.pdf', 1000, { row: String(rows[0]) });
  const refusal = (await full.json()) as { code: string; message: string };
  assert.equal([full.status, refusal.code], [422, 'cannot_receive']);
  assert.not.match(refusal.message, /\d/);
  assert.is((await meera.files(rows[0]!, [['Four.pdf', pdf('four')]])).get('said'), 'cannot_receive');
});

test('announced uploads and files of a form cannot exceed the storage limit of the link', async (office) => {
  const { address, db, services, blobs } = office;
  const { id, url, rows } = await office.ask(['Form 16']);
  const meera = sender(office, address, url);
  // The firm has room enough.
  await office.build.colleague(office.asha.actor);
  const begin = (n: number) => meera.begin(`${n}.pdf`, 250 * 1024 * 1024, { row: String(rows[0]) });
  for (let n = 0; n < 16; n += 1) assert.is((await begin(n)).status, 201);
  const refused = await begin(16);
  assert.equal([refused.status, ((await refused.json()) as { code: string }).code], [422, 'too_many']);

  await db('resumable_uploads').delete();
  const before = (await Array.fromAsync(blobs.list())).length;
  const page = await services.requests.senders.door(meera.who);
  const door = { ...page, allows: { ...page.allows, bytes: 1024 * 1024 } };
  const { Readable } = await import('node:stream');
  const { CONTENT_TYPE, filePart, multipart } = await import('#server/testing/multipart.ts');
  const files = Array.from({ length: 6 }, (_, n) => filePart(`${n}.txt`, Buffer.alloc(700_000, 'x')));
  const pieces = multipart([{ name: 'form', body: 'ours' }, ...files]);
  const request = Object.assign(Readable.from(cut(pieces)), {
    headers: { 'content-type': CONTENT_TYPE },
    setTimeout: () => {},
    complete: true,
  });
  const form = services.collecting.takeForm(
    door,
    { ip: '127.0.0.1', slot: rows[0]! },
    request as never,
    () => {},
  );
  await form.then(
    () => assert.unreachable('all of it was stored'),
    (error) => assert.is(error.code, 'too_many'),
  );
  assert.is((await Array.fromAsync(blobs.list())).length, before, 'and nothing of it is left');
  assert.equal((await services.requests.office.view(office.asha.actor, id)).rows[0]!.files, []);
});

function* cut(all: Buffer): Generator<Buffer> {
  for (let start = 0; start < all.length; start += 64 * 1024) yield all.subarray(start, start + 64 * 1024);
}

test('two hundred concurrent uploads of ten clients are all received', async (office) => {
  const { address, services, asha, build } = office;
  const clients: number[] = [];
  for (let n = 0; n < 10; n += 1) clients.push(await build.client(asha.actor, `Client ${n}`));
  const sent = await Promise.all(
    (
      await Promise.all(
        clients.map((client) => office.ask(['All of it'], { client_ids: [client], send: false })),
      )
    ).map(async ({ url, rows, id }) => {
      const one = sender(office, address, url);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => one.upload(rows[0]!, `${n}.pdf`, pdf(`${id} ${n}`))),
      );
      return answers.filter(({ status }) => status === 200).length;
    }),
  );
  assert.equal(
    sent,
    Array.from({ length: 10 }, () => 20),
  );
  assert.is((await services.documents.total(asha.actor)).files, 200);
  assert.equal(await services.records.recount(), []);
});

test.run();
