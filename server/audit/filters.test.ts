import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { inRequest } from '../http/request-context.ts';
import { PASSWORD } from '../testing/build.ts';
import { assign, colleague } from '../testing/colleague.ts';
import { Visitor, bearer } from '../testing/visitor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import type { AuditKind, AuditQuery } from './contract.ts';
import { AUDIT_EVENTS, AUDIT_KINDS, isOfKind } from './contract.ts';

interface Office extends World {
  asha: Awaited<ReturnType<World['build']['account']>>;
  admin: Actor;
  /** What is shown, the newest first: `Uploaded: a.pdf`. */
  shown(query: AuditQuery, actor?: Actor): Promise<string[]>;
}

const DAY = 24 * 60 * 60_000;

const test = suite<Office>('filters of the history');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.asha = await office.build.account({ name: 'Asha Rao' });
  office.admin = office.asha.actor;
  office.shown = async (query, actor = office.admin) => {
    const { data } = await office.services.audit.list(actor, query);
    return data.map(({ what, about }) => `${what}: ${about}`);
  };
});
test.after.each((office) => office.close());

/** Two clients with a file each, one file that belongs to nobody, and a colleague who opened Sharma's. */
async function twoClients(office: Office) {
  const { build, admin, services } = office;
  const ravi = await colleague(office, admin, { role: 'manager', permissions: ['history.read'] });
  const [sharma, rao] = [await build.client(admin, 'Sharma'), await build.client(admin, 'Rao')];
  const file = await build.file(admin, { name: 'sharma.pdf', client_id: sharma });
  await build.file(admin, { name: 'rao.pdf', client_id: rao });
  await build.file(admin, { name: 'nobody.pdf' });
  await services.audit.recordAlone({
    actor: ravi,
    did: 'document.download',
    subject: `item:${file.id}`,
    detail: { name: 'sharma.pdf' },
  });
  return { ravi, sharma, rao, file };
}

test('every event belongs to a kind', () => {
  const kindsOf = (did: string) => AUDIT_KINDS.filter((kind) => isOfKind(did, kind));
  assert.equal(
    AUDIT_EVENTS.filter((did) => kindsOf(did).length === 0),
    [],
  );
  const expected: [string, AuditKind[]][] = [
    ['document.expire', ['changed', 'deleted']],
    ['document.download_refused', ['read']],
    ['share.open', ['shared']],
    ['template.create', ['changed']],
    ['document.break_seal', ['changed']],
  ];
  for (const [did, kinds] of expected) assert.equal(kindsOf(did), kinds, did);
});

test('entries show the reason of a seal or a legal hold, and the time of a version', async (office) => {
  const { shown, admin, build, services } = office;
  const rao = await build.client(admin, 'Rao');
  await services.holds.place(admin, rao, { reason: 'Notice under section 148' });
  assert.is((await shown({ kind: 'clients' }))[0], 'Placed a legal hold: Rao: Notice under section 148');
  const file = await build.file(admin, { name: 'a.pdf' });
  await services.versions.keep(admin, { item: file.id, version: null }, 'as filed');
  assert.match(
    (await shown({}))[0]!,
    /^Kept a version forever: a\.pdf, version of \w+ \d+, 20\d\d, \d+:\d\d [AP]M: as filed$/,
  );
  await services.seals.seal(admin, file.id, { reason: 'Audit report signed' });
  assert.is((await shown({}))[0], 'Sealed: a.pdf: Audit report signed');
});

test('entries are filtered by person, client and kind, alone and together', async (office) => {
  const { ravi, sharma, rao } = await twoClients(office);
  const { shown, admin } = office;
  assert.equal(await shown({ person: ravi.userId }), ['Downloaded: sharma.pdf']);
  assert.equal(await shown({ client: sharma }), [
    'Downloaded: sharma.pdf',
    'Uploaded: sharma.pdf',
    'Added a client: Sharma',
  ]);
  assert.equal(await shown({ kind: 'added' }), [
    'Uploaded: nobody.pdf',
    'Uploaded: rao.pdf',
    'Uploaded: sharma.pdf',
  ]);
  assert.equal(await shown({ client: rao, kind: 'added', person: admin.userId }), ['Uploaded: rao.pdf']);
  assert.equal(await shown({ client: rao, person: ravi.userId }), []);
  assert.equal(await shown({ kind: 'billing' }), []);
});

test('filtering by a folder includes its contents, and items that were deleted in it or moved out of it', async (office) => {
  const { build, admin, services, shown } = office;
  const top = await build.folder(admin, 'Sharma');
  const inner = await build.folder(admin, 'ITR', top.id);
  const kept = await build.file(admin, { name: 'kept.pdf', parent_id: inner.id });
  const gone = await build.file(admin, { name: 'gone.pdf', parent_id: inner.id });
  await build.file(admin, { name: 'elsewhere.pdf' });
  await services.documents.remove(admin, [gone.id]);
  await services.documents.move(admin, { ids: [kept.id], parent_id: null });
  assert.equal(await shown({ item: top.id }), [
    'Moved: kept.pdf: Sharma / ITR → My Drive',
    'Moved to Trash: gone.pdf',
    'Uploaded: gone.pdf',
    'Uploaded: kept.pdf',
    'Created a folder: ITR',
    'Created a folder: Sharma',
  ]);
  assert.equal(
    await shown({ item: gone.id }),
    ['Moved to Trash: gone.pdf', 'Uploaded: gone.pdf'],
    'though it is gone',
  );
  assert.equal(await shown({ item: kept.id, kind: 'changed' }), ['Moved: kept.pdf: Sharma / ITR → My Drive']);
});

test('the range of days is in Indian time and includes both days', async (office) => {
  const { build, admin, shown, advance } = office;
  // Eleven at night of the 20th in London is the 21st in India.
  advance(13 * 60 * 60_000);
  await build.folder(admin, 'On the 21st');
  advance(DAY);
  await build.folder(admin, 'On the 22nd');
  assert.equal(await shown({ from: '2026-11-21', to: '2026-11-21' }), ['Created a folder: On the 21st']);
  assert.equal(await shown({ from: '2026-11-22' }), ['Created a folder: On the 22nd']);
  assert.equal(await shown({ to: '2026-11-20' }), ['Registered: ']);
});

test('entries recorded late, or after the clock was set back, are found on the day of their time', async (office) => {
  const { build, admin, shown, advance } = office;
  advance(5 * DAY);
  await build.folder(admin, 'Later');
  advance(-4 * DAY);
  await build.folder(admin, 'Set back');
  assert.equal(await shown({ to: '2026-11-21' }), ['Created a folder: Set back', 'Registered: ']);
});

test('rare entries among very many are found, page by page without gaps', async (office) => {
  const { build, admin, services, db, shown } = office;
  const folder = await build.folder(admin, 'Rare');
  const ravi = await colleague(office, admin, { permissions: ['history.read'] });
  await db.transaction(async (trx) => {
    for (let n = 0; n < 2500; n += 1)
      await services.audit.record(trx, {
        actor: n % 500 === 0 ? ravi : admin,
        did: n % 400 === 0 ? 'team.change' : 'client.export',
        subject: `user:${n}`,
        detail: n % 300 === 0 ? { name: `n${n}`, ids: [folder.id] } : { name: `n${n}` },
      });
  });
  for (const query of [{ kind: 'team' }, { person: ravi.userId }, { item: folder.id }, {}] as AuditQuery[]) {
    const whole = (await services.audit.list(admin, { ...query, limit: 200 })).data.map(({ id }) => id);
    const paged: number[] = [];
    let before: number | null | undefined;
    do {
      const page = await services.audit.list(admin, { ...query, limit: 2, ...(before && { before }) });
      paged.push(...page.data.map(({ id }) => id));
      before = page.next;
    } while (before !== null && paged.length < whole.length);
    assert.equal(paged, whole, JSON.stringify(query));
    assert.equal(
      whole,
      whole.toSorted((a, b) => b - a),
    );
  }
  assert.is((await shown({ kind: 'team' })).length, 7);
  assert.is((await shown({ person: ravi.userId })).length, 5);
});

test('a user with assigned clients sees no entry, name, path or number of other clients', async (office) => {
  const { ravi, sharma, rao } = await twoClients(office);
  const { build, admin, services, shown } = office;
  const meena = await colleague(office, admin, { name: 'Meena Joshi', clientScope: 'all' });
  await build.file(meena, { name: 'of meena.pdf', client_id: rao });
  await assign(office, ravi, [sharma]);
  const [hiddenFolder, moved] = [
    await build.folder(admin, 'Secret partners'),
    await build.file(admin, { name: 'moved.pdf', client_id: sharma }),
  ];
  await services.documents.move(admin, { ids: [moved.id], parent_id: hiddenFolder.id });
  const seen = [
    'Moved: moved.pdf',
    'Uploaded: moved.pdf',
    'Downloaded: sharma.pdf',
    'Uploaded: sharma.pdf',
    'Added a client: Sharma',
  ];
  assert.equal(await shown({}, ravi), seen);
  for (const query of [
    { client: rao },
    { person: meena.userId },
    { item: hiddenFolder.id, kind: 'added' },
  ] as const)
    assert.equal(await shown(query, ravi), [], JSON.stringify(query));
  const { names } = await services.audit.list(ravi, {
    client: rao,
    person: meena.userId,
    item: hiddenFolder.id,
  });
  assert.equal(names, { person: null, client: null, item: null });
  assert.equal(
    (await services.audit.people(ravi)).map(({ name }) => name),
    ['Asha Rao', 'Ravi Kumar'],
  );
  assert.is((await services.audit.people(admin)).length, 3);
  const csv = await text((await services.audit.csv(ravi)).open());
  assert.is(csv.trim().split('\r\n').length, seen.length + 1);
  const answer = JSON.stringify(await services.audit.list(ravi, {}));
  for (const output of [csv, answer])
    assert.not.match(output, /Secret|rao\.pdf|Meena|nobody\.pdf|parent_id":\d/);
});

test('a user with assigned clients does not learn from a seal or a deletion how much of other clients was in a folder', async (office) => {
  const { ravi, sharma, rao } = await twoClients(office);
  const { build, admin, services } = office;
  await assign(office, ravi, [sharma]);
  const folder = await services.documents.createFolder(admin, {
    name: 'Group',
    parent_id: null,
    client_id: sharma,
  });
  for (const client_id of [sharma, rao])
    await build.file(admin, { name: `${client_id}.pdf`, parent_id: folder.id, client_id });
  await services.seals.seal(admin, folder.id, { reason: 'Filed' });
  await services.seals.break(admin, folder.id, { reason: 'Filed again', current_password: PASSWORD });
  await services.documents.remove(admin, [folder.id]);
  await services.trash.remove(admin, [folder.id]);
  const told = (await services.audit.list(ravi, { item: folder.id })).data;
  assert.equal(
    told.map(({ did }) => did),
    ['delete_forever', 'trash', 'break_seal', 'seal', 'folder'].map((verb) => `document.${verb}`),
  );
  for (const { did, detail } of told)
    assert.equal(
      [detail['files'], detail['bytes'], detail['digest']],
      [undefined, undefined, undefined],
      did,
    );
});

test('the page has the names of the client and item filtered by, and entries link to existing items', async (office) => {
  const { sharma, file } = await twoClients(office);
  const { services, admin } = office;
  const page = await services.audit.list(admin, { client: sharma, item: file.id, person: admin.userId });
  assert.equal(page.names, { person: 'Asha Rao', client: 'Sharma', item: 'sharma.pdf' });
  assert.equal(page.data[0]?.item, { id: file.id, parent_id: null, type: 'file' });
  assert.equal(page.data[0]?.client, { id: sharma, name: 'Sharma' });
  await services.documents.remove(admin, [file.id]);
  await services.clients.remove(admin, sharma);
  const after = await services.audit.list(admin, { client: sharma, item: file.id });
  assert.equal(after.names, { client: null, item: null });
  assert.ok(after.data.every(({ item, client }) => item === null && client === null));
});

test('an entry shows the browser and the place in words', async (office) => {
  const { services, admin } = office;
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/130.0';
  await inRequest({ requestId: 'r', ip: '192.168.1.7', userAgent }, () =>
    services.audit.recordAlone({ actor: admin, did: 'auth.sign_out' }),
  );
  const [entry] = (await services.audit.list(admin, { limit: 1 })).data;
  assert.equal([entry?.place, entry?.browser], ['Office network (192.168.1.7)', 'Firefox on Windows']);
  assert.equal((await services.audit.prove(null)).faults, []);
});

test('the CSV has the filtered entries without formulas, and the export is recorded with the filters', async (office) => {
  const { build, admin, services, asha } = office;
  const client = await build.client(admin, '=HYPERLINK("http://evil")');
  await build.file(admin, { name: 'a.pdf', client_id: client });
  await build.file(admin, { name: 'b.pdf' });
  const url = await office.serve();
  const address = `${url}/api/audit/export?client=${client}&from=2026-11-20`;
  const head = await fetch(address, { method: 'HEAD', headers: bearer(asha.token) });
  assert.equal([head.status, (await office.shown({ limit: 1 }))[0]], [200, 'Uploaded: b.pdf']);
  const response = await fetch(address, { headers: bearer(asha.token) });
  const csv = await response.text();
  assert.match(response.headers.get('content-disposition') ?? '', /history-2026-11-20\.csv/);
  const rows = csv.trim().split('\r\n');
  assert.is(rows.length, 4, csv);
  assert.match(rows[1]!, /,Added a client,client\.create,Asha Rao,"'=HYPERLINK\(""http:\/\/evil""\)",/);
  assert.match(rows[2]!, /,Uploaded,document\.upload,Asha Rao,a\.pdf,.*,2026-11-20 15:30:00$/);
  assert.is(
    (await office.shown({ limit: 1 }))[0],
    'Downloaded the history: =HYPERLINK("http://evil"), from 2026-11-20',
  );
  const clerk = build.limited(admin, ['documents.read']);
  const refused = await services.audit.export(clerk, {}, { sending: true }).catch((error) => error.status);
  assert.is(refused, 403);
});

test('invalid filters are refused with an explanation', async (office) => {
  const url = await office.serve();
  const visitor = new Visitor(url);
  for (const [query, field] of [
    ['kind=everything', 'kind'],
    ['from=2026-13-45', 'from'],
    ['client=x', 'client'],
    ['person=-1', 'person'],
    ['item=1.5', 'item'],
  ] as const)
    for (const path of ['/api/audit', '/api/audit/export']) {
      const { status, json } = await visitor.get(`${path}?${query}`, { headers: bearer(office.asha.token) });
      assert.equal([status, Object.keys(json.errors)], [422, [field]], `${path}?${query}`);
    }
});

test.run();
