import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { Undeliverable } from '../mail/transport.ts';
import type { Message } from '../mail/transport.ts';
import type { World } from '../testing/world.ts';
import { freshWorld, TODAY } from '../testing/world.ts';
import type { Overview } from '../jobs/service.ts';
import { alarmsOf } from './alarms.ts';
import type { CertificateView } from './contract.ts';
import { growth } from './disk.ts';

const GB = 1024 ** 3;
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

interface Ctx {
  world: World;
  asha: Actor;
  vikram: Actor;
  disk: { free: number; size: number };
  certificate: CertificateView | null;
  sent: Message[];
  /** The error with which the mail server refuses an e-mail. */
  refusal: Error | null;
}
const test = suite<Ctx>('system');

async function named({ db, build }: World, email: string): Promise<Actor> {
  const actor = await build.actor();
  await db('users').where({ id: actor.userId }).update({ email });
  return actor;
}

test.before.each(async (ctx) => {
  Object.assign(ctx, {
    disk: { free: 500 * GB, size: 1000 * GB },
    certificate: null,
    sent: [],
    refusal: null,
  });
  ctx.world = await freshWorld({
    installationAdmins: ['asha@rao.in'],
    machine: {
      version: '1.4.0',
      startedAt: TODAY,
      disk: async () => ctx.disk,
      certificate: () => ctx.certificate,
      key: async () => ({ well: false, about: 'The master key lies beside.' }),
      lastUpdate: async () => ({
        from: '1.0.0',
        to: '1.1.0',
        outcome: 'back',
        at: '2026-11-20T10:00:00.000Z',
        why: 'it did not start.',
      }),
    },
    transport: {
      sends: true,
      means: 'e-mail is sent through mail.example.in',
      async deliver(message) {
        if (ctx.refusal) throw ctx.refusal;
        ctx.sent.push(message);
      },
      close: () => {},
    },
  });
  ctx.asha = await named(ctx.world, 'asha@rao.in');
  ctx.vikram = await named(ctx.world, 'vikram@iyer.in');
  await ctx.world.services.mail.deliver();
  ctx.sent.length = 0;
});
test.after.each(({ world }) => world.close());

const hidden = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.unreachable('it was answered'),
    (error) => assert.is(error.status, 404),
  );

test('an admin of a firm has no System screen: it belongs to the installation’s admins', async ({
  world,
  asha,
  vikram,
}) => {
  const { system } = world.services;
  await hidden(system.view(vikram));
  await hidden(system.sendAgain(vikram, 1));
  assert.is(await system.may(vikram), false);
  const view = await system.view(asha);
  assert.equal(view.key, { well: false, about: 'The master key lies beside.' });
  assert.is(view.app.version, '1.4.0');
  assert.is(view.update?.why, 'it did not start.', 'what the last update came to');
  assert.equal(view.alarms, []);
});

test('the admin command appoints and removes an admin, but not one named by the environment', async ({
  world,
  vikram,
}) => {
  const { system } = world.services;
  await system.admins.add('Vikram@iyer.in');
  assert.is(await system.may(vikram), true);
  assert.equal(
    (await system.admins.list()).map(({ email }) => email),
    ['asha@rao.in', 'vikram@iyer.in'],
  );
  await system.admins.remove('vikram@iyer.in');
  assert.is(await system.may(vikram), false);
  await system.admins.remove('asha@rao.in').then(
    () => assert.unreachable(),
    (error) => assert.match(error.message, /INSTALLATION_ADMINS/),
  );
  await hidden(system.admins.add('nobody@rao.in'));
});

test('a clock that was set back by two hours is reported on the screen and by e-mail until it is corrected', async (ctx) => {
  const { world, asha, sent } = ctx;
  const { system, mail, audit } = world.services;
  await world.db.transaction((trx) =>
    audit.record(trx, { firmId: asha.firmId, did: 'document.clock_ahead', detail: { name: 'a day' } }),
  );
  world.advance(-2 * HOUR);
  const [alarm] = (await system.view(asha)).alarms;
  assert.is(alarm?.cause, 'clock');
  assert.match(alarm?.about ?? '', /something was saved here on .*: it is 2 hours behind/);
  await system.sendAlarms();
  await mail.deliver();
  assert.equal(
    sent.map(({ subject }) => subject),
    ['Almirah: The clock of the server is wrong'],
  );
  world.advance(2 * HOUR);
  assert.equal((await system.view(asha)).alarms, []);
});

test('a database that a reverted update has left raises an alarm with its path, since nobody would look for it', () => {
  const quiet = { recurring: [], running: [], waiting: { all: 0 }, failed: [] } as unknown as Overview;
  const facts = { disk: null, jobs: quiet, undelivered: [], sends: true, certificate: null, now: TODAY };
  assert.equal(alarmsOf(facts), []);
  const [alarm] = alarmsOf({ ...facts, otherDatabases: ['/data/update/after.sqlite'] });
  assert.is(alarm?.cause, 'kept_database');
  assert.match(alarm!.about, '/data/update/after.sqlite');
});

test('a deactivated user is no longer an admin of the installation', async ({ world, asha }) => {
  await world.db('users').where({ id: asha.userId }).update({ deactivated_at: TODAY.toISOString() });
  assert.is(await world.services.system.may(asha), false);
});

test('the forecast of a full disk follows the trend of the last weeks', async (ctx) => {
  const { world, asha } = ctx;
  const { system } = world.services;
  assert.is((await system.view(asha)).disk?.free_in_90_days, null, 'of one day nothing can be told');
  for (let day = 0; day < 10; day += 1) {
    await system.noteDisk();
    world.advance(DAY);
    ctx.disk = { ...ctx.disk, free: ctx.disk.free - 10 * GB };
  }
  const { disk } = await system.view(asha);
  assert.is(disk?.free, 400 * GB);
  assert.is(disk?.free_in_90_days, 0);
  assert.is(disk?.full_on, '2027-01-09', '400 GB last 40 days from 30 November');
});

test('a disk with decreasing use is never forecast as full', () => {
  const falling = [30, 20, 10].map((used, index) => ({ day: `2026-11-0${index + 1}`, used }));
  assert.is(growth(falling), -10);
  assert.is(growth(falling.slice(0, 2)), null);
});

test('a nearly full disk is reported by e-mail once a day, and again at once if it had improved in between', async (ctx) => {
  const { world } = ctx;
  const { system, mail } = world.services;
  const told = async () => {
    await system.sendAlarms();
    await mail.deliver();
    return ctx.sent
      .filter(({ kind }) => kind === 'system.alarm')
      .map(({ to, subject }) => `${to.address} ${subject}`);
  };
  assert.equal(await told(), []);
  ctx.disk = { free: 60 * GB, size: 1000 * GB };
  assert.equal(await told(), ['asha@rao.in Almirah: Only 6 % of the disk is free']);
  world.advance(10 * 60_000);
  assert.is((await told()).length, 1, 'ten minutes later nobody wants to hear it again');
  world.advance(DAY);
  assert.is((await told()).length, 2);
  ctx.disk = { free: 600 * GB, size: 1000 * GB };
  await told();
  ctx.disk = { free: 60 * GB, size: 1000 * GB };
  assert.is((await told()).length, 3);
  world.shiftClock(-30 * DAY);
  const again = (await told()).slice(3).filter((subject) => subject.includes('of the disk is free'));
  assert.is(again.length, 1, 'not a month later, when the clock reaches again what it had been set to');
});

test('a certificate that was not renewed raises an alarm with the reason', async (ctx) => {
  const { world, asha } = ctx;
  const until = (days: number) => new Date(TODAY.getTime() + days * DAY + HOUR).toISOString();
  ctx.certificate = {
    kind: 'acme',
    names: ['vault.rao.in'],
    valid_until: until(29),
    fingerprint: null,
    problem: 'port 80 is closed',
  };
  assert.equal((await world.services.system.view(asha)).alarms, [], 'there is time to try again');
  ctx.certificate = { ...ctx.certificate, valid_until: until(12) };
  const [alarm] = (await world.services.system.view(asha)).alarms;
  assert.is(alarm?.cause, 'certificate');
  assert.match(alarm!.title, /12 days/);
  assert.match(alarm!.about, /port 80 is closed/);
});

test('a certificate that browsers refuse raises an alarm, whatever its lifetime', async (ctx) => {
  const valid_until = new Date(TODAY.getTime() + 300 * DAY).toISOString();
  const ended = 'The authority of this office was made for other names.';
  ctx.certificate = { kind: 'local', names: ['a.lan'], valid_until, fingerprint: 'AB', problem: ended };
  const [local] = (await ctx.world.services.system.view(ctx.asha)).alarms;
  assert.equal([local?.cause, local?.about], ['certificate', ended]);
  const problem = 'The certificate in c.pem is for a.lan, not for vault.rao.in.';
  ctx.certificate = { kind: 'files', names: ['a.lan'], valid_until, fingerprint: null, problem };
  const { alarms } = await ctx.world.services.system.view(ctx.asha);
  assert.equal(
    alarms.map(({ cause }) => cause),
    ['certificate'],
  );
  assert.match(alarms[0]!.about, /not for vault\.rao\.in.*Put another one where TLS_CERT and TLS_KEY point/);
});

test('a rejected e-mail is listed with the reason, and sent on request', async (ctx) => {
  const { world, asha } = ctx;
  const { system, mail } = world.services;
  ctx.refusal = new Undeliverable('550 No such mailbox', true, null);
  for (const kind of ['team.invitation', 'auth.reset', 'portal.code'] as const)
    await world.db.transaction((trx) =>
      mail.send(trx, {
        to: { name: 'Meera', email: 'meera@iyer.in' },
        kind,
        email: { subject: 'Join us', parts: ['Come.'] },
      }),
    );
  await mail.deliver();
  const [code, reset, invitation] = (await system.view(asha)).mail.undelivered;
  assert.is(invitation?.reason, '550 No such mailbox');
  assert.is(invitation?.to, 'meera@iyer.in');
  assert.is(invitation?.waiting, false);
  assert.is(reset?.can_send, false, 'of a link to a new password nothing is kept');
  await hidden(system.sendAgain(asha, reset!.id));
  assert.is(code?.can_send, false, 'a code is good for ten minutes');
  const kindsListed = async () =>
    (await system.view(asha)).mail.undelivered.map(({ kind, waiting }) => `${kind} ${waiting}`);
  const others = ['portal.code false', 'auth.reset false'];
  await system.sendAgain(asha, invitation!.id);
  assert.equal(await kindsListed(), [...others, 'team.invitation true'], 'it has not gone out yet');
  await mail.deliver();
  assert.equal(await kindsListed(), [...others, 'team.invitation false'], 'it was refused again');
  ctx.refusal = null;
  world.advance(5 * DAY);
  await system.sendAgain(asha, invitation!.id);
  await mail.deliver();
  assert.equal(
    ctx.sent.map(({ to, kind }) => `${kind} ${to.address}`),
    ['team.invitation meera@iyer.in'],
  );
  assert.equal(await kindsListed(), others);
});

test('e-mails that keep waiting raise an alarm, but not after the first failure', async (ctx) => {
  const { world, asha } = ctx;
  const { system, mail } = world.services;
  ctx.refusal = new Undeliverable('451 Try again later.', false, null);
  await world.db.transaction((trx) =>
    mail.send(trx, {
      to: { name: 'Meera', email: 'meera@iyer.in' },
      kind: 'team.invitation',
      email: { subject: 'Join us', parts: ['Come.'] },
    }),
  );
  await mail.deliver();
  assert.equal((await system.view(asha)).alarms, []);
  for (const minutes of [2, 10]) {
    world.advance(minutes * 60_000);
    await mail.deliver();
  }
  assert.equal(
    (await system.view(asha)).alarms.map(({ cause, about }) => [
      cause,
      /451 Try again later\. Check/.test(about),
    ]),
    [['mail', true]],
  );
});

test('without a mail server the screen says so, and no e-mail about it is queued', async () => {
  const kept: string[] = [];
  const transport = {
    sends: false,
    means: 'kept',
    deliver: async ({ subject }: Message) => void kept.push(subject),
    close: () => {},
  };
  const world = await freshWorld({ transport, installationAdmins: ['asha@rao.in'] });
  try {
    const { system, mail } = world.services;
    const asha = await named(world, 'asha@rao.in');
    assert.equal(
      (await system.view(asha)).alarms.map(({ cause }) => cause),
      ['no_mail'],
    );
    await mail.deliver();
    kept.length = 0;
    assert.is(await system.sendAlarms(), 0);
    await mail.deliver();
    assert.equal(kept, []);
  } finally {
    await world.close();
  }
});

test.run();
