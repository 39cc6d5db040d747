import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { SMTPServer } from 'smtp-server';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openAuthority } from '../tls/authority.ts';
import { mail } from './doctor-mail.ts';

interface World {
  /** @returns the port of a mail server that runs until the end of the test. */
  serve(options: SMTPServerOptions): Promise<number>;
  open: SMTPServer[];
}

const test = suite<World>('doctor: e-mail');
const DAY = 24 * 60 * 60_000;

test.before.each((world) => {
  world.open = [];
  world.serve = async (options) => {
    const server = new SMTPServer({ authOptional: true, ...options });
    // Some tests make the client refuse the certificate of this server.
    server.on('error', () => {});
    world.open.push(server);
    const listening = server.listen(0, '0.0.0.0');
    await once(listening, 'listening');
    return (listening.address() as AddressInfo).port;
  };
});
test.after.each(({ open }) => {
  for (const server of open) server.close();
});

const says = (smtpUrl: string) => mail({ mail: { smtpUrl } });

async function certificate(at: Date) {
  const lost = { save: async () => {}, load: async () => null };
  const authority = await openAuthority(lost, { appName: 'Mail', name: 'localhost', now: at });
  return authority.issue(['localhost'], at);
}

test('a mail server that accepts the password is reported as working without sending an e-mail, and a wrong password as refused', async ({
  serve,
}) => {
  const mails: string[] = [];
  const port = await serve({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'rao' }) : done(new Error('no')),
    onMailFrom: ({ address }, _session, done) => {
      mails.push(address);
      done();
    },
  });
  const fine = await says(`smtp://rao:right@127.0.0.1:${port}`);
  assert.equal([fine.well, mails], [true, []]);
  assert.match(fine.text, 'lets us sign in');
  const refused = await says(`smtp://rao:wrong@127.0.0.1:${port}`);
  assert.is(refused.well, false);
  assert.match(refused.text, /refuses the user name or the password/);
});

test('a connection problem is explained, with what to try', async ({ serve }) => {
  const plain = await serve({ disabledCommands: ['STARTTLS'] });
  const about = async (url: string) => (await says(url)).text;
  assert.match(await about('smtp://127.0.0.1:1'), /nothing takes e-mails at that port: usual are 587/);
  assert.match(await about('smtp://nobody.invalid'), /leads nowhere/);
  assert.match(await about(`smtps://127.0.0.1:${plain}`), /smtp:\/\/ in place of smtps/);
  assert.match(
    await about(`smtp://127.0.0.2:${plain}`),
    /offers no TLS/,
    'no address of ours, so nothing goes without TLS',
  );
});

test('an expired certificate is explained by the clock of the machine, and an untrusted one by its issuer', async ({
  serve,
}) => {
  const years = 20 * 365 * DAY;
  const about = async (at: Date) =>
    (await says(`smtp://localhost:${await serve(await certificate(at))}`)).text;
  assert.match(await about(new Date(Date.now() - years)), /is the clock of this machine right\?/);
  assert.match(await about(new Date()), /nobody vouches for its certificate/);
});

test.run();
