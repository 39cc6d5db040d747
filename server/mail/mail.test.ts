import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate, openDatabase } from '../datadir/database.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import { until } from '../testing/until.ts';
import type { Jobs } from '../jobs/service.ts';
import { createJobs } from '../jobs/service.ts';
import type { Sending } from './contract.ts';
import { listOutbox, OUTBOX_PURPOSE, readEmail, resealOutbox } from './outbox.ts';
import type { Mail } from './service.ts';
import { createMail } from './service.ts';
import type { Transport } from './transport.ts';
import type { Message } from './transport.ts';
import { Undeliverable, folderTransport, smtpTransport } from './transport.ts';

interface Arrived {
  from: string;
  to: string[];
  text: string;
}

interface Post {
  db: Knex;
  smtp: SMTPServer;
  arrived: Arrived[];
  /** How the mail server refuses the next sender, recipient or message. */
  refuse: { at: 'sender' | 'recipient' | 'message'; code: number } | null;
  url: string;
  now: number;
  jobs: Jobs;
  /** Ended with the test. */
  newJobs(): Jobs;
  started: Jobs[];
  /** A mail server, not listening yet. */
  serve(): SMTPServer;
  mail: Mail;
  open(transport: Transport, jobs?: Jobs): Mail;
}

const MINUTE = 60_000;
const SERVER = { sends: true, means: '' };
const test = suite<Post>('mail');

test.before.each(async (post) => {
  post.arrived = [];
  post.refuse = null;
  post.now = Date.parse('2026-11-20T10:00:00Z');
  const no = (code: number) => Object.assign(new Error('Not now'), { responseCode: code });
  const refusal = (at: string) => (post.refuse?.at === at ? no(post.refuse.code) : undefined);
  post.serve = () =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom: (_address, _session, done) => done(refusal('sender')),
      onRcptTo: (_address, _session, done) => done(refusal('recipient')),
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (refusal('message')) return done(refusal('message'));
          const { mailFrom, rcptTo } = session.envelope;
          post.arrived.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            text: Buffer.concat(chunks).toString(),
          });
          return done();
        });
      },
    });
  post.smtp = post.serve();
  await new Promise<void>((resolve) => post.smtp.listen(0, '127.0.0.1', resolve));
  post.url = `smtp://127.0.0.1:${(post.smtp.server.address() as AddressInfo).port}`;
  post.db = openDatabase(':memory:');
  await migrate(post.db, null, new Date());
  const clock = () => new Date(post.now);
  post.started = [];
  post.newJobs = () => {
    const jobs = createJobs({ db: post.db, clock, log: pino({ level: 'silent' }), stopTimeoutMs: 50 });
    post.started.push(jobs);
    return jobs;
  };
  post.open = (transport, jobs = post.newJobs()) =>
    createMail({
      clock,
      jobs,
      seal: createColumnSealer(Buffer.alloc(32, 7), 'outbox'),
      transport,
      settings: { appName: 'Almirah', baseUrl: 'https://vault.test', mailFrom: 'vault@office.test' },
    });
  post.jobs = post.newJobs();
  post.mail = post.open(smtpTransport(post.url), post.jobs);
});
test.after.each(async ({ started, mail, smtp, db }) => {
  for (const jobs of started) await jobs.stop();
  mail.stop();
  await new Promise<void>((resolve) => smtp.close(resolve));
  await db.destroy();
});

const EMAIL: Sending = {
  to: { name: 'Asha Rao', email: 'asha@rao.in' },
  firm: 'Rao & Associates',
  kind: 'test.letter',
  email: {
    subject: 'नमस्ते from us',
    parts: [
      'Dear Asha,',
      { facts: [['Firm', '<b>Rao</b> & "Sons"']] },
      { action: 'Open', href: 'https://vault.test/reset-password?token=SECRET' },
      { note: 'Small print.' },
    ],
  },
};
const send = ({ db, mail }: Post, change: Partial<Sending> = {}) =>
  db.transaction((trx) => mail.send(trx, { ...EMAIL, ...change }));
const row = ({ db }: Post) => db('jobs').first();
/** Decodes quoted-printable text. */
const plain = (text: string) =>
  text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));

/** The decoded content of one part of a message. */
const decoded = (part: string): string => {
  const content = part.slice(part.indexOf('\r\n\r\n'));
  return /encoding: base64/i.test(part)
    ? Buffer.from(content, 'base64').toString()
    : Buffer.from(plain(content), 'latin1').toString();
};

test('an e-mail reaches the mail server as text and as HTML, in the name of the firm', async (post) => {
  await send(post);
  assert.is(await post.mail.deliver(), 1);
  const { from, to, text } = post.arrived[0]!;
  assert.is(from, 'vault@office.test');
  assert.equal(to, ['asha@rao.in']);
  assert.match(text, /From: "?Rao & Associates"? <vault@office\.test>/);
  assert.match(text, /To: "?Asha Rao"? <asha@rao\.in>/);
  assert.match(text, /Auto-Submitted: auto-generated/);
  assert.match(text, /text\/plain/);
  assert.match(plain(text), /Firm: <b>Rao<\/b> & "Sons"/);
  assert.match(plain(text), /&#60;b&#62;Rao&#60;\/b&#62; &#38; &#34;Sons&#34;/);
  assert.not.match(
    plain(text),
    /<img|<link|<script|src=/,
    'a email that loads nothing tells nobody when it is read',
  );
});

test('an e-mail in Hindi has its language set in HTML and a Hindi footer, and arrives intact through a real mail server', async (post) => {
  const email = {
    subject: 'कोड 123456',
    parts: ['नमस्ते,', { action: 'खोलें', href: 'https://vault.test/s/X' }],
  };
  await send(post, { email, language: 'hi' });
  await post.mail.deliver();
  const { text } = post.arrived[0]!;
  const read = text
    .split(/\r\n--(?=--_)/)
    .map(decoded)
    .join('\n');
  assert.match(read, '<html lang="hi">');
  assert.match(read, 'Rao & Associates अपने दस्तावेज़ Almirah में रखता है, https://vault.test');
  assert.match(read, 'नमस्ते');
});

test('an e-mail of a transaction that is rolled back is not sent', async (post) => {
  await post.db
    .transaction(async (trx) => {
      await post.mail.send(trx, EMAIL);
      throw new Error('undone');
    })
    .catch(() => {});
  assert.is(await post.mail.deliver(), 0);
  assert.equal(await post.db('jobs'), []);
});

test('the database shows neither links nor addresses of a queued e-mail, and the content is deleted once it is sent', async (post) => {
  await send(post);
  const { sealed, ...shown } = await row(post);
  assert.not.match(sealed.toString('latin1'), /SECRET|asha|Open/);
  assert.not.match(JSON.stringify(shown), /SECRET|asha|Open/);
  await post.mail.deliver();
  assert.is((await row(post)).sealed, null);
});

test('an e-mail that the mail server refuses temporarily, or for its sender, is retried after growing delays until it is sent', async (post) => {
  post.refuse = { at: 'message', code: 451 };
  await send(post);
  assert.is(await post.mail.deliver(), 0);
  assert.is((await row(post)).attempts, 1);
  assert.is(await post.mail.deliver(), 0, 'not before its time');
  assert.is((await row(post)).attempts, 1);
  post.now += MINUTE;
  post.refuse = { at: 'sender', code: 553 };
  await post.mail.deliver();
  assert.is((await row(post)).due_at, '2026-11-20T10:03:00.000Z');
  post.refuse = null;
  post.now += 2 * MINUTE;
  assert.is(await post.mail.deliver(), 1);
  assert.is(post.arrived.length, 1);
});

test('an e-mail is retried when the mail server cannot be reached', async (post) => {
  const nowhere = post.open(smtpTransport('smtp://127.0.0.1:1'));
  await send(post);
  assert.is(await nowhere.deliver(), 0);
  assert.is((await row(post)).status, 'starting');
  nowhere.stop();
  post.now += MINUTE;
  assert.is(await post.mail.deliver(), 1);
});

test('after an outage of the mail server every queued e-mail is sent once, in the order in which they were written', async (post) => {
  const { port } = post.smtp.server.address() as AddressInfo;
  await new Promise<void>((resolve) => post.smtp.close(resolve));
  for (const subject of ['one', 'two', 'three']) {
    await send(post, { email: { subject, parts: [] } });
    assert.is(await post.mail.deliver(), 0);
    post.now += 1000;
  }
  post.smtp = post.serve();
  await new Promise<void>((resolve) => post.smtp.listen(port, '127.0.0.1', resolve));
  post.now += 2 * MINUTE;
  assert.is(await post.mail.deliver(), 3);
  assert.is(await post.mail.deliver(), 0);
  assert.equal(
    post.arrived.map(({ text }) => /^Subject: (.*)$/m.exec(text)![1]),
    ['one', 'two', 'three'],
  );
});

test('an e-mail that was being sent when the process died is sent again with the same Message-ID', async (post) => {
  const ids: string[] = [];
  const hanging: Transport = {
    ...SERVER,
    deliver: async ({ messageId }) => {
      ids.push(messageId);
      await new Promise(() => {});
    },
    close: () => {},
  };
  const first = post.newJobs();
  post.open(hanging, first);
  await first.start();
  await send(post);
  await until(() => ids.length > 0);
  // The first process is not stopped, as if it had crashed.
  await post.jobs.start();
  await until(() => post.arrived.length > 0);
  await post.jobs.idle();
  assert.is(post.arrived.length, 1);
  assert.match(post.arrived[0]!.text, `Message-ID: ${ids[0]}`);
  assert.is((await row(post)).status, 'completed');
});

test('e-mails of one firm to a mail server that does not answer do not delay those of another firm', async (post) => {
  const firms = [1, 2].map((id) => ({ id, name: `Firm ${id}`, created_at: '' }));
  await post.db('firms').insert(firms);
  const sent: string[] = [];
  const jobs = post.newJobs();
  post.open(
    {
      ...SERVER,
      deliver: async ({ subject }) => {
        if (subject === 'slow') await new Promise(() => {});
        sent.push(subject);
      },
      close: () => {},
    },
    jobs,
  );
  for (let n = 0; n < 20; n += 1) await send(post, { firmId: 1, email: { subject: 'slow', parts: [] } });
  await send(post, { firmId: 2, email: { subject: 'quick', parts: [] } });
  await jobs.start();
  await until(() => sent.length > 0);
  assert.equal(sent, ['quick']);
});

test('an e-mail to an address that does not exist fails immediately, and is kept for an admin to see', async (post) => {
  post.refuse = { at: 'recipient', code: 550 };
  await send(post);
  await post.mail.deliver();
  const { status, sealed, message } = await row(post);
  assert.is(status, 'failed');
  assert.ok(sealed);
  assert.match(message, /Not now/);
});

test('an expired e-mail is not sent', async (post) => {
  await send(post, { expiresAt: new Date(post.now + MINUTE) });
  post.now += 2 * MINUTE;
  assert.is(await post.mail.deliver(), 0);
  assert.is((await row(post)).status, 'failed');
});

test('simultaneous delivery rounds send an e-mail only once', async (post) => {
  await send(post);
  await Promise.all(Array.from({ length: 5 }, () => post.mail.deliver()));
  assert.is(post.arrived.length, 1);
});

test('attachments arrive complete and with their names', async (post) => {
  const content = Buffer.from('%PDF-1.7 …');
  await send(post, { attachments: [{ name: 'Invoice 2026-27-0001.pdf', type: 'application/pdf', content }] });
  await post.mail.deliver();
  const { text } = post.arrived[0]!;
  assert.match(text, /Content-Type: application\/pdf; name="Invoice 2026-27-0001\.pdf"/);
  assert.match(text, new RegExp(content.toString('base64').replace(/\+/g, '\\+')));
});

test('a firm’s name cannot add links or headers to an e-mail', async (post) => {
  for (const firm of [
    'Win at evil.example',
    'http://evil',
    'a@evil',
    'Rao\r\nBcc: all@x.in',
    'x'.repeat(200),
  ]) {
    await send(post, { firm });
  }
  await post.mail.deliver();
  for (const { text, to } of post.arrived) {
    assert.match(text, /^From: "?(?:Almirah|Rao Bcc: all)/m);
    assert.not.match(text, /^Bcc:/m);
    assert.not.match(text, /evil/);
    assert.is(to.length, 1);
  }
});

test('without a mail server each e-mail is stored as a sealed file, since a stolen disk would reveal password reset links', async (post) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'almirah-mail-')), 'outbox');
  const [seal, fresh] = [7, 8].map((byte) => createColumnSealer(Buffer.alloc(32, byte), OUTBOX_PURPOSE));
  const mail = post.open(folderTransport(folder, seal!));
  await send(post);
  assert.is(await mail.deliver(), 1);
  const files = await readdir(folder);
  assert.is(files.length, 1);
  assert.match(files[0]!, /^2026-11-20T10-00-00-000Z-test\.letter-1\.eml\.sealed$/);
  const path = join(folder, files[0]!);
  assert.not.match(plain(await readFile(path, 'latin1')), /SECRET|Subject/);
  assert.is((await stat(path)).mode & 0o777, 0o600);
  const [kept] = await listOutbox(folder);
  assert.match(plain(String(await readEmail(folder, seal!, kept!))), /token=SECRET/);
  await writeFile(join(folder, '2025-01-01-old-1.eml'), 'Subject: Old');
  for (let again = 0; again < 2; again += 1) await resealOutbox(folder, seal!, fresh!);
  const [old, resealed] = await listOutbox(folder);
  assert.match(plain(String(await readEmail(folder, fresh!, resealed!))), /token=SECRET/, 'by the new key');
  assert.is(String(await readEmail(folder, fresh!, old!)), 'Subject: Old');
  await rm(join(folder, '..'), { recursive: true });
});

test('the commit of a transaction starts the delivery of its e-mail', async (post) => {
  await post.jobs.start();
  await send(post);
  await until(() => post.arrived.length > 0);
  assert.is(post.arrived.length, 1);
});

test('nothing is sent to a mail server without TLS unless tls=off, since its password and links would be readable on the network', async (post) => {
  const server = post.serve();
  // 127.0.0.2 does not count as this machine, where TLS is not needed.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  const { port } = server.server.address() as AddressInfo;
  const message: Message = {
    id: 1,
    kind: 'test.letter',
    messageId: '<1@office.test>',
    from: { name: 'Office', address: 'vault@office.test' },
    to: { name: 'Asha', address: 'asha@rao.in' },
    date: new Date(),
    subject: 'A link',
    text: 'secret',
    html: '',
    attachments: [],
  };
  const strict = smtpTransport(`smtp://127.0.0.2:${port}`);
  await strict.deliver(message).then(
    () => assert.unreachable('it was sent'),
    (error: unknown) => {
      assert.instance(error, Undeliverable);
      assert.is((error as Undeliverable).permanent, false, 'the admin can set it right');
    },
  );
  assert.is(post.arrived.length, 0);
  const open = smtpTransport(`smtp://127.0.0.2:${port}?tls=off`);
  await open.deliver(message);
  assert.is(post.arrived.length, 1, 'unless the admin says that it may');
  strict.close();
  open.close();
  await new Promise<void>((resolve) => server.close(resolve));
});

test.run();
