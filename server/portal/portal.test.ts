import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MakeShare } from '../sharing/contract.ts';
import { COOKIE } from '../sharing/contract.ts';
import { newLink } from '#server/sharing/testing/recipient.ts';
import { refuseWrites } from '#server/testing/refuse-writes.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { PORTAL_COOKIE } from './contract.ts';

type Account = Awaited<ReturnType<World['build']['account']>>;
interface Office extends World {
  address: string;
  asha: Account;
  client: number;
}

const test = suite<Office>('client pages');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.address = await office.serve();
  office.asha = await office.build.account();
  office.client = await office.build.client(office.asha.actor, 'Sharma Traders');
  await office.db('clients').where({ id: office.client }).update({ email: 'Owner@Sharma.in' });
});
test.after.each(async (office) => {
  office.services.collecting.stop();
  await office.close();
});

const make = ({ services, asha, client }: Office, ...emails: string[]) =>
  services.portal.office.make(asha.actor, { client_id: client, emails });

/** A visitor with the address of a client page and a separate browser. */
function visitor(office: Office, url: string, ip = '127.0.0.1') {
  const { services, address, deliverMail } = office;
  const token = url.slice(url.lastIndexOf('/') + 1);
  const who = { token, cookie: randomBytes(32).toString('base64url'), ip, language: 'en' as const };
  const { visitors } = services.portal;
  const send = async (path: string, fields: Record<string, string>, form = visitors.formOf(who)) => {
    const answered = await fetch(`${address}/c/${token}/${path}`, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, form }),
      headers: { cookie: `${PORTAL_COOKIE}=${who.cookie}` },
      redirect: 'manual',
    });
    assert.is(answered.status, 303);
    return new URL(answered.headers.get('location')!, address).searchParams.get('said');
  };
  return {
    who,
    send,
    page: (asked = false) => visitors.page(who, asked),
    async open(email: string) {
      await send('code', { email });
      const sent = (await deliverMail()).filter(
        ({ kind, to }) => kind === 'portal.code' && to.address === email,
      );
      const code = /^\d{6}/.exec(sent.at(-1)?.subject ?? '')?.[0] ?? '';
      return send('verify', { code });
    },
    /** Opens a share link through the client page. @returns the content of the link's page; null if it is refused. */
    async follow(linkId: number) {
      const answered = await fetch(`${address}/c/${token}/links/${linkId}`, {
        headers: { cookie: `${PORTAL_COOKIE}=${who.cookie}` },
        redirect: 'manual',
      });
      const to = answered.headers.get('location')!;
      if (!to.startsWith('/s/')) return null;
      assert.match(answered.headers.get('set-cookie')!, `${COOKIE}=${who.cookie}; path=${to}`);
      const pass = { token: to.slice(3), cookie: who.cookie, ip };
      return { pass, page: await services.sharing.recipients.list(pass) };
    },
    /** Titles of the shared links, or the state of the client page if it is not open. */
    async shared() {
      const page = await visitors.page(who, false);
      return page.state === 'open' ? page.shared.map(({ title }) => title) : page.state;
    },
  };
}

const share = async (
  { services }: Office,
  { actor }: Pick<Account, 'actor'>,
  ids: number[],
  more: Partial<MakeShare> = {},
) => {
  const { share: made, url } = await services.sharing.links.make(
    actor,
    newLink(ids, { audience: 'named', emails: ['owner@sharma.in'], ...more }),
  );
  return { id: made.id, token: url.slice(url.lastIndexOf('/') + 1) };
};

test('a client page opens for the client’s e-mail address and added ones, by a code for one browser, and does not reveal which addresses those are', async (office) => {
  const { services, asha, deliverMail, db, address } = office;
  const { url } = await make(office, 'accounts@sharma.in');
  assert.match(url, /\/c\/[\w-]{43}$/);
  const priya = visitor(office, url);
  const closed = await priya.page();
  assert.is(closed.state, 'email');
  assert.not.match(JSON.stringify(closed), 'Sharma Traders');
  assert.is(await priya.send('code', { email: 'stranger@else.in' }), 'sent');
  assert.equal(
    (await deliverMail()).filter(({ kind }) => kind === 'portal.code'),
    [],
  );
  assert.is(
    await priya.send('code', { email: '\0 OWNER@sharma.in ' }),
    'sent',
    'both addresses get the same response',
  );
  const [sent] = (await deliverMail()).filter(({ kind }) => kind === 'portal.code');
  const code = /^\d{6}/.exec(sent!.subject)![0];
  const other = visitor(office, url);
  assert.is(await other.send('verify', { code }), 'code', 'the code opens the browser that asked');
  assert.is(await priya.send('verify', { code }, 'x'), 'again', 'no other site sends the form');
  assert.is(await priya.send('verify', { code: '000000' === code ? '000001' : '000000' }), 'code');
  assert.is(await priya.send('verify', { code: `${code.slice(0, 3)} ${code.slice(3)}` }), null);
  const open = await priya.page();
  assert.ok(open.state === 'open' && open.client === 'Sharma Traders' && open.email === 'owner@sharma.in');
  assert.is(await priya.send('verify', { code }), 'code', 'a code works once');
  assert.is(await other.open('accounts@sharma.in'), null);

  await make(office);
  assert.is((await other.page()).state, 'email', 'removing an address ends its session at once');
  await db('clients').where({ id: office.client }).update({ email: 'new@sharma.in' });
  assert.is((await priya.page()).state, 'email', 'and so does a change of the client’s e-mail');
  const [view] = await services.portal.office.list(asha.actor, { client: office.client });
  assert.equal(
    [view!.opened, view!.last_opened_by, view!.last_opened_from],
    [2, 'accounts@sharma.in', 'The server itself'],
  );
  const { data } = await services.audit.list(asha.actor, { client: office.client });
  const did = data.map((one) => one.did);
  for (const one of ['portal.create', 'portal.open', 'portal.refused', 'portal.change'])
    assert.ok(did.includes(one), one);
  const opened = data.find((one) => one.did === 'portal.open')!;
  assert.ok(opened.browser !== undefined);
  assert.match(opened.who!, /@sharma\.in \(client's page\)$/);
  const answered = await fetch(`${address}/c/${'x'.repeat(43)}/links/1`, { redirect: 'manual' });
  assert.is(answered.headers.get('referrer-policy'), 'no-referrer');
});

test('a link to several items is named after the first of them', async (office) => {
  const { build, asha, client } = office;
  const { url } = await make(office);
  const ids: number[] = [];
  for (const name of ['ITR.pdf', 'Balance sheet.pdf'])
    ids.push((await build.file(asha.actor, { name, client_id: client })).id);
  const owner = visitor(office, url);
  await owner.open('owner@sharma.in');
  await share(office, asha, ids);
  assert.equal(await owner.shared(), ['ITR.pdf and 1 more']);
});

test('the page shows what was shared with the client, and nothing else', async (office) => {
  const { build, asha, client, services } = office;
  const { actor } = asha;
  const other = await build.client(actor, 'Mehta');
  const file = async (name: string, client_id?: number) => (await build.file(actor, { name, client_id })).id;
  const [own, banks, ready, theirs, circular] = [
    await file('ITR.pdf', client),
    await file('CMA for the bank.pdf', client),
    await file('Balance sheet.pdf', client),
    await file('Theirs.pdf', other),
    await file('Budget 2026.pdf'),
  ];
  const { url } = await make(office, 'accounts@sharma.in');
  const [owner, accounts] = [visitor(office, url), visitor(office, url)];
  await owner.open('owner@sharma.in');
  await accounts.open('accounts@sharma.in');
  assert.equal(await owner.shared(), []);
  const itr = await share(office, asha, [own]);
  await share(office, asha, [banks], { audience: 'anyone', emails: [] });
  await share(office, asha, [banks], { emails: ['officer@bank.in'] });
  await share(office, asha, [theirs]);
  await share(office, asha, [circular]);
  assert.equal(await owner.shared(), ['Budget 2026.pdf', 'ITR.pdf']);
  assert.equal(await accounts.shared(), [], 'what was shared with one person is that person’s');
  const shown = await share(office, asha, [ready], { audience: 'anyone', emails: [], on_portal: true });
  assert.equal(await owner.shared(), ['Balance sheet.pdf', 'Budget 2026.pdf', 'ITR.pdf']);
  assert.equal(
    await accounts.shared(),
    ['Balance sheet.pdf'],
    'what the office has put on the page is for all',
  );
  assert.is((await services.sharing.links.list(actor, { client }))[0]!.on_portal, true);
  try {
    await share(office, asha, [ready, theirs], { audience: 'anyone', emails: [], on_portal: true });
    assert.unreachable('of two clients there is no one page');
  } catch (error) {
    assert.match(JSON.stringify(error), 'on_portal');
  }

  const way = await owner.follow(itr.id);
  assert.is(way!.page.state, 'open', 'no second code');
  const stranger = { ...way!.pass, cookie: randomBytes(32).toString('base64url') };
  assert.is((await services.sharing.recipients.list(stranger)).state, 'gone', 'the way is this browser’s');
  assert.is(await accounts.follow(itr.id), null);
  assert.is(await owner.follow(99_999), null);
  await services.documents.setClient(actor, ready, { client_id: other });
  assert.equal(await accounts.shared(), [], 'moved to another client it is gone from the page');
  assert.is(await accounts.follow(shown.id), null);
  await services.documents.remove(actor, [own]);
  assert.equal(await owner.shared(), ['Budget 2026.pdf'], 'in Trash it is gone');
  assert.is((await services.sharing.recipients.list(way!.pass)).state, 'gone');
});

test('a client page shows requests with what is missing, receipts and the drop link, and still works when its creator has left', async (office) => {
  const { services, asha, client, build, db } = office;
  const ravi = await build.colleague(asha.actor, { role: 'manager' });
  const { url } = await services.portal.office.make(ravi.actor, { client_id: client, emails: [] });
  const priya = visitor(office, url);
  await priya.open('owner@sharma.in');
  const open = async () => {
    const page = await priya.page();
    if (page.state !== 'open') throw new Error(page.state);
    return page;
  };
  assert.equal([(await open()).asked, (await open()).drop], [[], null]);
  const ask = (more: object) =>
    services.requests.office.make(ravi.actor, {
      client_ids: [client],
      title: 'GST',
      rows: ['Sales', 'Purchases'],
      note: '',
      due_on: null,
      language: 'en',
      reminders: { before: null, on: false, after: null },
      send: false,
      ...more,
    });
  await ask({ title: 'Later', due_on: '2026-12-31' });
  const { made } = await ask({ title: 'Soon', due_on: '2026-11-30' });
  await services.drops.make(ravi.actor, { client_id: client });
  await services.drops.make(ravi.actor, { client_id: await build.client(asha.actor, 'Mehta') });
  const file = await build.file(asha.actor, { name: 'ITR.pdf', client_id: client });
  const link = await share(office, ravi, [file.id]);

  const page = await open();
  assert.equal(
    page.asked.map(({ title, due_on, wanted, total }) => [title, due_on, wanted, total]),
    [
      ['Soon', '2026-11-30', ['Sales', 'Purchases'], 2],
      ['Later', '2026-12-31', ['Sales', 'Purchases'], 2],
    ],
  );
  assert.match(page.drop!, /^\/d\/[\w-]{43}$/);
  const token = page.asked[0]!.path.slice(3);
  const who = { token, cookie: randomBytes(32).toString('base64url'), ip: '127.0.0.1' };
  const asked = await services.requests.senders.page(who);
  assert.is(asked.state, 'open', 'the request opens without a second code');
  await db('request_rows').where({ request_id: made[0]!.id }).update({ state: 'received' });
  await db('request_receipts').insert({
    request_id: made[0]!.id,
    number: 'ABCD-2345',
    files: 2,
    made_at: office.now().toISOString(),
  });
  const after = await open();
  assert.equal(
    after.asked.map(({ title, wanted }) => [title, wanted.length]),
    [
      ['Later', 2],
      ['Soon', 0],
    ],
    'what is missing stands first',
  );
  assert.equal(
    after.sent.map(({ number, title, files }) => [number, title, files]),
    [['ABCD-2345', 'Soon', 2]],
  );
  assert.equal(await priya.shared(), ['ITR.pdf']);

  await db('users').where({ id: ravi.actor.userId }).update({ role: 'staff' });
  assert.equal(await priya.shared(), [], 'who may share no more, as beyond the plan, shows nothing');
  await db('users').where({ id: ravi.actor.userId }).update({ deactivated_at: office.now().toISOString() });
  assert.is(await priya.follow(link.id), null);
  assert.is((await open()).asked.length, 2, 'the page is the firm’s');
  assert.not.match(JSON.stringify(await open()), /Ravi/);
});

test('a client page that has ended, never existed or is switched off looks the same, and open sessions end at once', async (office) => {
  const { services, asha, client, build, db } = office;
  const first = await make(office);
  const gone = { state: 'gone' };
  assert.equal(await visitor(office, `/c/${'x'.repeat(43)}`).page(), gone);
  const priya = visitor(office, first.url);
  await priya.open('owner@sharma.in');
  const file = await build.file(asha.actor, { name: 'ITR.pdf', client_id: client });
  const link = await share(office, asha, [file.id]);
  const way = (await priya.follow(link.id))!.pass;
  const seen = async () => (await services.sharing.recipients.list(way)).state;
  assert.is(await seen(), 'open');
  await services.sharing.links.set(asha.actor, { enabled: false, max_days: 90 });
  assert.equal(await priya.page(), gone);
  assert.is(await priya.send('code', { email: 'owner@sharma.in' }), null);
  await services.sharing.links.set(asha.actor, { enabled: true, max_days: 90 });
  assert.is((await priya.page()).state, 'open');
  office.advance(24 * 60 * 60_000 + 1);
  assert.is((await priya.page()).state, 'email', 'the next day a code is asked for again');
  assert.is(await seen(), 'gone');
  await priya.open('owner@sharma.in');
  const again = (await priya.follow(link.id))!.pass;
  const { url } = await services.portal.office.renew(asha.actor, first.id);
  assert.equal(await priya.page(), gone);
  assert.is((await services.sharing.recipients.list(again)).state, 'gone');
  const later = visitor(office, url);
  assert.is((await later.page()).state, 'email');
  await later.open('owner@sharma.in');
  assert.is(await later.send('leave', {}), 'left');
  assert.is((await later.page()).state, 'email');
  await later.open('owner@sharma.in');
  await services.portal.office.revoke(asha.actor, first.id);
  assert.equal(await later.page(), gone);
  const { url: last } = await make(office);
  const visit = visitor(office, last);
  await visit.open('owner@sharma.in');
  await services.clients.remove(asha.actor, client);
  assert.equal(await visit.page(), gone, 'a client who is deleted has no page');
  assert.equal(await services.portal.office.list(asha.actor), []);
  await services.clients.forgetDeleted();
  assert.equal(await db('portals').select('id'), []);
  await services.portal.sweep();
});

test('codes cannot be guessed, and a user without permission to download cannot add addresses that open the page', async (office) => {
  const { services, asha, client, build, deliverMail } = office;
  const { url } = await make(office);
  const guesser = visitor(office, url);
  await guesser.send('code', { email: 'owner@sharma.in' });
  const [sent] = (await deliverMail()).filter(({ kind }) => kind === 'portal.code');
  const code = sent!.subject.slice(0, 6);
  const wrong = code === '123456' ? '123457' : '123456';
  for (let n = 0; n < 5; n += 1)
    assert.is(await guesser.send('verify', { code: wrong, wrong: String(n) }), n < 4 ? 'code' : 'codes');
  assert.is(await guesser.send('verify', { code }), 'code', 'after five tries another has to be asked for');
  const outcomes = [];
  for (let n = 0; n < 6; n += 1) outcomes.push(await guesser.send('verify', { code: wrong }));
  assert.is(outcomes.at(-1), 'wait');
  const asking = visitor(office, url, '10.0.0.1');
  const asked = [];
  for (let n = 0; n < 6; n += 1) asked.push(await asking.send('code', { email: 'owner@sharma.in' }));
  assert.ok(asked.includes('wait'), 'e-mails with codes to one address are rate-limited');

  const { actor } = await build.colleague(asha.actor, { role: 'manager' });
  const looker = {
    ...actor,
    permissions: actor.permissions.filter((one) => one !== 'documents.download'),
  };
  const refused = async (request: Promise<unknown>, status: number) =>
    request.then(
      () => assert.unreachable(),
      (error) => assert.is(error.status, status),
    );
  const { office: portals } = services.portal;
  await refused(portals.make(looker, { client_id: client, emails: ['own@mail.in'] }), 403);
  assert.is((await portals.make(looker, { client_id: client, emails: [] })).emails.length, 0);
  const { id } = (await portals.list(asha.actor))[0]!;
  await refused(portals.send(asha.actor, id, { emails: ['own@mail.in'], language: 'en' }), 422);
  assert.is(await portals.send(asha.actor, id, { emails: ['owner@sharma.in'], language: 'hi' }), 1);
  const mail = (await deliverMail()).find(({ kind }) => kind === 'portal.link')!;
  assert.match(mail.text, url);
  assert.match(mail.subject, 'पेज');
  const mute = await build.client(asha.actor, 'No e-mail');
  await refused(portals.make(asha.actor, { client_id: mute, emails: [] }), 422);
});

test('a fault of the server is said on the page, which a visitor without script would otherwise lose', async (office) => {
  const { url } = await make(office);
  const allow = await refuseWrites(office.db, 'portal_codes', 'INSERT');
  const meera = visitor(office, url);
  assert.is(await meera.send('code', { email: 'owner@sharma.in' }), 'fault');
  await allow();
  assert.is(await meera.send('code', { email: 'owner@sharma.in' }), 'sent');
});

test('a clock set back by days does not leave a client’s page open for as long, since the browser may be that of a cybercafe', async (office) => {
  const priya = visitor(office, (await make(office)).url);
  await priya.open('owner@sharma.in');
  office.advance(-3 * 24 * 60 * 60_000);
  await office.services.portal.sweep();
  assert.is((await priya.page()).state, 'open');
  office.advance(24 * 60 * 60_000);
  assert.is((await priya.page()).state, 'email');
});

test.run();
