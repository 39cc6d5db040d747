import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MakeShare } from '../sharing/contract.ts';
import { COOKIE } from '../sharing/contract.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { PORTAL_COOKIE } from './contract.ts';

type Account = Awaited<ReturnType<World['build']['account']>>;
interface Office extends World {
  address: string;
  asha: Account;
  client: number;
}

const test = suite<Office>('the page of a client');
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

/** Somebody with the address of a page and a browser of their own. */
function visitor(office: Office, url: string, ip = '127.0.0.1') {
  const { services, address, post } = office;
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
      const sent = (await post()).filter(({ kind, to }) => kind === 'portal.code' && to.address === email);
      const code = /^\d{6}/.exec(sent.at(-1)?.subject ?? '')?.[0] ?? '';
      return send('verify', { code });
    },
    /** Follows the page's way to a link. @returns what the page of the link shows; null where there is no way. */
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
    /** Titles of what is shared; the state where nothing is. */
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
  const { share: made, url } = await services.sharing.links.make(actor, {
    ids,
    audience: 'named',
    emails: ['owner@sharma.in'],
    mode: 'download',
    expires_on: '2026-11-27',
    max_downloads: null,
    notify: false,
    password: null,
    ...more,
  });
  return { id: made.id, token: url.slice(url.lastIndexOf('/') + 1) };
};

test('it opens to the client’s e-mail and to those that were added, by a code for one browser, and nobody is told which', async (office) => {
  const { services, asha, post, db, address } = office;
  const { url } = await make(office, 'accounts@sharma.in');
  assert.match(url, /\/c\/[\w-]{43}$/);
  const priya = visitor(office, url);
  const closed = await priya.page();
  assert.is(closed.state, 'email');
  assert.not.match(JSON.stringify(closed), 'Sharma Traders');
  assert.is(await priya.send('code', { email: 'stranger@else.in' }), 'sent');
  assert.equal(
    (await post()).filter(({ kind }) => kind === 'portal.code'),
    [],
  );
  assert.is(await priya.send('code', { email: ' OWNER@sharma.in ' }), 'sent', 'both are answered alike');
  const [sent] = (await post()).filter(({ kind }) => kind === 'portal.code');
  const code = /^\d{6}/.exec(sent!.subject)![0];
  const other = visitor(office, url);
  assert.is(await other.send('verify', { code }), 'code', 'the code opens the browser that asked');
  assert.is(await priya.send('verify', { code }, 'x'), 'again', 'no other site sends the form');
  assert.is(await priya.send('verify', { code: '000000' === code ? '000001' : '000000' }), 'code');
  assert.is(await priya.send('verify', { code: `${code.slice(0, 3)} ${code.slice(3)}` }), null);
  const open = await priya.page();
  assert.ok(open.state === 'open' && open.client === 'Sharma Traders' && open.email === 'owner@sharma.in');
  assert.is(await priya.send('verify', { code }), 'code', 'it opens once');
  assert.is(await other.open('accounts@sharma.in'), null);

  await make(office);
  assert.is((await other.page()).state, 'email', 'whose address is taken away is out at once');
  await db('clients').where({ id: office.client }).update({ email: 'new@sharma.in' });
  assert.is((await priya.page()).state, 'email', 'and so is whose e-mail is the client’s no more');
  const [view] = await services.portal.office.list(asha.actor, { client: office.client });
  assert.equal(
    [view!.opened, view!.last_opened_by, view!.last_opened_from],
    [2, 'accounts@sharma.in', 'The server itself'],
  );
  const { data } = await services.audit.list(asha.actor, { client: office.client });
  const did = data.map((one) => one.did);
  for (const one of ['portal.create', 'portal.open', 'portal.refused', 'portal.change'])
    assert.ok(did.includes(one), one);
  assert.ok(data.find((one) => one.did === 'portal.open')!.browser !== undefined);
  const answered = await fetch(`${address}/c/${'x'.repeat(43)}/links/1`, { redirect: 'manual' });
  assert.is(answered.headers.get('referrer-policy'), 'no-referrer');
});

test('it shows what was shared with the client, and nothing that was not', async (office) => {
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

test.run();
