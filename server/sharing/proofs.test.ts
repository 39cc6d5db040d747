import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refuseWrites } from '#server/testing/refuse-writes.ts';
import { bearer } from '#server/testing/visitor.ts';
import { pdf } from '../tools/samples.ts';
import type { Office } from './testing/recipient.ts';
import { change, eachOffice, recipient } from './testing/recipient.ts';

const DAY = 24 * 60 * 60_000;

const test = suite<Office>('who opens what is shared by a link');
eachOffice(test);

test('a link with a password shows nothing before it is entered, and limits the attempts so that it cannot be guessed', async (office) => {
  const { build, asha, share, address, services } = office;
  const { id } = await build.file(asha.actor, { name: 'secret name.txt' });
  const link = await share([id], { password: 'tea at four' });
  const priya = recipient(office, address, link.url);
  const asked = await priya.page();
  assert.is(asked.state, 'password');
  assert.not.match(JSON.stringify(asked), 'secret name');
  assert.is((await priya.get(`/files/${id}`)).status, 401);
  assert.is(await priya.send('/download/all'), '');
  assert.is(await priya.send('/password', { password: 'coffee at five' }), '?said=password');
  const refused = await office.db('audit_events').where({ did: 'share.refused' }).first('detail');
  assert.equal(
    JSON.parse(refused.detail).names,
    ['secret name.txt'],
    'the history names what somebody tried to open',
  );
  assert.is(await priya.send('/password', { password: 'tea at four' }), '');
  assert.equal(await priya.names(), ['secret name.txt']);
  assert.is(
    await recipient(office, address, link.url).names(),
    'password',
    'another browser has to know it too',
  );
  const guesser = recipient(office, address, link.url);
  const said = [];
  for (let n = 0; n < 12; n += 1) said.push(await guesser.send('/password', { password: `guess ${n}` }));
  assert.is(said.at(-1), '?said=wait');
  await services.sharing.links.change(asha.actor, link.id, change({ password: 'tea at six' }));
  assert.is(await priya.names(), 'password', 'who knew the old one has to know the new one');
});

test('a password that is replaced while it is being checked opens nothing', async (office) => {
  const { build, asha, share, address, services } = office;
  const { id } = await build.file(asha.actor);
  const link = await share([id], { password: 'tea at four' });
  const priya = recipient(office, address, link.url);
  const { passwords } = services.auth;
  const { verify } = passwords;
  passwords.verify = async (...checked) => {
    passwords.verify = verify;
    const right = await verify(...checked);
    await services.sharing.links.change(asha.actor, link.id, change({ password: 'tea at six' }));
    return right;
  };
  try {
    assert.is(await priya.send('/password', { password: 'tea at four' }), '?said=password');
  } finally {
    passwords.verify = verify;
  }
  assert.is(await priya.names(), 'password');
  assert.is(await priya.send('/password', { password: 'tea at six' }), '');
});

test('named people prove their address by a code that is mailed to them, for one browser and ten minutes', async (office) => {
  const { build, asha, share, address, services, deliverMail } = office;
  const { id } = await build.file(asha.actor, { name: 'ITR.pdf', content: pdf([['a']]) });
  const link = await share([id], {
    audience: 'named',
    emails: ['priya@sharma.in', 'anil@sharma.in'],
    mode: 'view',
  });
  const priya = recipient(office, address, link.url);
  assert.is(await priya.names(), 'email');
  assert.is(await priya.send('/code', { email: 'somebody@else.in' }), '?said=sent');
  assert.is((await deliverMail()).filter(({ subject }) => subject.includes('code')).length, 0);
  assert.is(
    await priya.send('/code', { email: '\0 Priya@Sharma.in ' }),
    '?said=sent',
    'both are answered alike',
  );
  const codes = async () => (await deliverMail()).flatMap(({ subject }) => /^\d{6}/.exec(subject)?.[0] ?? []);
  const [code] = await codes();
  assert.is(
    await recipient(office, address, link.url).send('/verify', { code: code! }),
    '?said=code&n=1',
    'not in another browser',
  );
  assert.is(await priya.send('/verify', { code: code === '000000' ? '000001' : '000000' }), '?said=code&n=1');
  assert.is(await priya.send('/verify', { code: code! }), '');
  assert.equal(await priya.names(), ['ITR.pdf']);
  const { actor } = asha;
  const [view] = await services.sharing.links.list(actor);
  assert.is(view!.opened, 1);
  assert.is(view!.last_opened_by, 'priya@sharma.in');

  const { data } = await services.audit.list(asha.actor, {});
  const lines = data.map(({ who, what, about }) => `${who} ${what}: ${about}`);
  assert.ok(
    lines.includes('Asha Rao Shared by a link: ITR.pdf → priya@sharma.in, anil@sharma.in'),
    lines.join('\n'),
  );
  assert.ok(lines.includes('priya@sharma.in (shared link) Opened a shared link: ITR.pdf'), lines.join('\n'));

  const wrongCodes = async (visitor: typeof priya, code: string) => {
    const told = [];
    for (const wrong of ['0', '1', '2', '3', '4']) told.push(await visitor.send('/verify', { code, wrong }));
    return told;
  };
  const stranger = recipient(office, address, link.url);
  await stranger.send('/code', { email: 'somebody@else.in' });
  assert.is((await wrongCodes(stranger, '111111')).at(-1), '?said=codes', 'also when no code was sent');
  office.advance(15 * 60_000);
  const anil = recipient(office, address, link.url);
  await anil.send('/code', { email: 'anil@sharma.in' });
  const second = (await codes()).at(-1)!;
  assert.equal((await wrongCodes(anil, second === '111111' ? '222222' : '111111')).slice(3), [
    '?said=code&n=4',
    '?said=codes',
  ]);
  assert.is(
    await anil.send('/verify', { code: second }),
    '?said=code&n=1',
    'five wrong ones, and it is over',
  );
  await anil.send('/code', { email: 'anil@sharma.in' });
  const third = (await codes()).at(-1)!;
  office.advance(10 * 60_000 + 1);
  assert.is(await anil.send('/verify', { code: third }), '?said=code&n=1', 'after ten minutes');

  await services.sharing.links.change(
    actor,
    link.id,
    change({ audience: 'named', emails: ['anil@sharma.in'], mode: 'view' }),
  );
  assert.is(await priya.names(), 'email', 'who is not named any more is out at once');
});

test('a proof of an address that was removed while it was given opens nothing, although its session was stored after the removal', async (office) => {
  const { build, asha, share, address, deliverMail, db } = office;
  const { id } = await build.file(asha.actor, { name: 'ITR.txt' });
  const named = { audience: 'named' as const, emails: ['priya@sharma.in', 'anil@sharma.in'] };
  const link = await share([id], { ...named, password: 'tea at four' });
  const priya = recipient(office, address, link.url);
  await priya.send('/code', { email: 'priya@sharma.in' });
  const [code] = (await deliverMail()).flatMap(({ subject }) => /^\d{6}/.exec(subject)?.[0] ?? []);
  await priya.send('/verify', { code: code! });
  await priya.send('/password', { password: 'tea at four' });
  assert.equal(await priya.names(), ['ITR.txt']);
  await db('share_recipients').where({ link_id: link.id, email: 'priya@sharma.in' }).delete();
  assert.is(await priya.names(), 'email');
  assert.is((await priya.get(`/files/${id}`)).status, 401);
  assert.is(await priya.send('/download/all'), '');
});

test('a clock set back by days does not leave a link with a password open for as long', async (office) => {
  const { build, asha, share, address, services, advance } = office;
  const { id } = await build.file(asha.actor, { name: 'ITR.txt' });
  const priya = recipient(office, address, (await share([id], { password: 'tea at four' })).url);
  await priya.send('/password', { password: 'tea at four' });
  advance(-3 * DAY);
  await services.sharing.sweep();
  assert.equal(await priya.names(), ['ITR.txt']);
  advance(DAY);
  assert.is(await priya.names(), 'password');
});

test('fetching the page of a link does not count as opening it, and its creator is notified once a day when somebody opens it', async (office) => {
  const { build, asha, share, address, services, deliverMail } = office;
  const { id } = await build.file(asha.actor, { name: 'a.txt' });
  const link = await share([id], { notify: true, max_downloads: 1 });
  const robot = recipient(office, address, link.url);
  await robot.page();
  await robot.file(id);
  await robot.get(`/files/${id}`, { 'user-agent': 'WhatsApp/2.23' });
  const view = async () => (await services.sharing.links.list(asha.actor))[0]!;
  assert.equal([(await view()).opened, (await view()).downloads], [0, 0]);
  const priya = recipient(office, address, link.url);
  await priya.send('/open');
  await priya.send('/open');
  assert.is((await view()).opened, 1);
  await recipient(office, address, link.url).send('/open');
  assert.is((await view()).opened, 2);
  const told = (await deliverMail()).filter(({ subject }) => subject === 'Somebody has opened "a.txt"');
  assert.is(told.length, 1);
  office.advance(DAY);
  await recipient(office, address, link.url).send('/open');
  assert.is((await deliverMail()).filter(({ subject }) => subject.includes('has opened')).length, 2);
});

test('a form on another site cannot act on a link, and the cookies of its visitors give no access to the rest of the vault', async (office) => {
  const { build, asha, share, address } = office;
  const { id } = await build.file(asha.actor);
  const link = await share([id], { max_downloads: 1 });
  const priya = recipient(office, address, link.url);
  for (const body of ['', 'form=', `form=${'x'.repeat(43)}`]) {
    const answered = await fetch(`${priya.base}/download/all`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { cookie: priya.cookie, 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.match(answered.headers.get('location')!, /\?said=again$/);
  }
  assert.is(
    (await fetch(`${address}/api/documents/${id}`, { headers: { cookie: priya.cookie } })).status,
    401,
  );
  assert.is((await fetch(`${address}/api/shares`, { headers: bearer('x') })).status, 401);
});

test('recipients get e-mails in Hindi if the sender chose Hindi or they read the page in Hindi', async (office) => {
  const { build, asha, share, address, services, deliverMail } = office;
  const { id } = await build.file(asha.actor, { name: 'ITR.pdf', content: pdf([['a']]) });
  const link = await share([id], { audience: 'named', emails: ['priya@sharma.in'] });
  const request = { url: link.url, emails: ['priya@sharma.in'], language: 'hi' as const };
  await services.sharing.links.send(asha.actor, link.id, request);
  const [sent] = (await deliverMail()).filter(({ kind }) => kind === 'share.link');
  assert.match(sent!.subject, 'ने आपके साथ यह साझा किया है: "ITR.pdf"');
  assert.match(sent!.text, '27 नवंबर 2026');
  const priya = recipient(office, address, link.url);
  await priya.send('/code', { email: 'priya@sharma.in' }, { 'accept-language': 'hi-IN,en;q=0.5' });
  const [code] = (await deliverMail()).filter(({ kind }) => kind === 'share.code');
  assert.match(code!.subject, 'खोलने का आपका कोड: ');
  assert.match(code!.html, '<html lang="hi">');
});

test('a link for a client speaks their language, which the office chose, unless the visitor has chosen another, and a link that is gone tells none', async (office) => {
  const { build, asha, share, address, services, deliverMail } = office;
  const client_id = await build.client(asha.actor, 'Sharma Traders', { language: 'hi' });
  const { id } = await build.file(asha.actor, { name: 'ITR.pdf', content: pdf([['a']]), client_id });
  const own = await build.file(asha.actor, { name: 'Rates.pdf', content: pdf([['b']]) });
  const { clientLanguage } = services.sharing.recipients;
  const of = (url: string) => clientLanguage({ token: url.slice(url.lastIndexOf('/') + 1), cookie: '' });
  const open = await share([id], { audience: 'anyone' });
  assert.is(await of(open.url), 'hi');
  assert.is(await of((await share([own.id], { audience: 'anyone' })).url), null, 'of no client');
  await services.sharing.links.revoke(asha.actor, [open.id]);
  assert.is(await of(open.url), null);
  const link = await share([id], { audience: 'named', emails: ['priya@sharma.in'] });
  const priya = recipient(office, address, link.url);
  const codes = async () => (await deliverMail()).filter(({ kind }) => kind === 'share.code');
  await priya.send('/code', { email: 'priya@sharma.in' }, { 'accept-language': 'en-IN' });
  assert.match((await codes()).at(-1)!.html, '<html lang="hi">');
  const cookie = `${priya.cookie}; almirah_language=en`;
  await priya.send('/code', { email: 'priya@sharma.in' }, { cookie });
  assert.match((await codes()).at(-1)!.html, '<html lang="en">');
});

test('an expired link names its sender only in a browser in which the password was entered, and not once it is revoked', async (office) => {
  const { build, asha, share, address, services, advance } = office;
  const { id } = await build.file(asha.actor, { name: 'a.txt' });
  const link = await share([id], { password: 'tea at four', expires_on: '2026-11-20' });
  const [priya, stranger] = [recipient(office, address, link.url), recipient(office, address, link.url)];
  await priya.send('/password', { password: 'tea at four' });
  await stranger.send('/password', { password: 'coffee at five' });
  advance(20 * 60 * 60_000);
  const { firm_name: firm, name: from } = await services.auth.viewer(asha.actor);
  const over = { state: 'ended', firm, logo: null, from, until: '2026-11-20' };
  assert.equal(await priya.page(), over);
  assert.equal(await priya.file(id), over);
  assert.equal(await stranger.page(), { state: 'gone' });
  await services.sharing.links.revoke(asha.actor, [link.id]);
  assert.equal(await priya.page(), { state: 'gone' });
});

test('a fault of the server is said on the page, to a person who enters a password and to one who comes for the file', async (office) => {
  const { build, asha, share, address, db } = office;
  const { id } = await build.file(asha.actor, { name: 'a.txt' });
  const link = await share([id], { password: 'tea at four' });
  const priya = recipient(office, address, link.url);
  const allow = await refuseWrites(db, 'audit_events', 'INSERT');
  assert.is(await priya.send('/password', { password: 'coffee at five' }), '?said=fault');
  await allow();
  assert.is(await priya.send('/password', { password: 'tea at four' }), '');
  const grant = await priya.send(`/download/${id}`);
  office.blobs.get = () => Promise.reject(new Error('lost'));
  const person = await priya.get(grant, { accept: 'text/html' });
  assert.match(person.headers.get('location') ?? '', /\?said=fault$/);
  assert.is((await priya.get(grant)).status, 500, 'a program learns of it as such');
});

test.run();
