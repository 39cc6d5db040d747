import { Secret } from 'otpauth';
import { suite } from 'uvu';
import * as v from 'valibot';
import * as assert from 'uvu/assert';
import { routersOf } from '#server/app.ts';
import { PROOF_LASTS_MS, requireRecentProof } from '#server/http/recent-proof.ts';
import { makeShare } from '#server/sharing/contract.ts';
import { invitation } from '#server/team/contract.ts';
import { PASSWORD } from '#server/testing/build.ts';
import { Authenticator } from '#server/testing/passkey.ts';
import { bearer, Visitor } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { codeAt } from './totp.ts';

interface Office extends World {
  account: Awaited<ReturnType<World['build']['account']>>;
  ask(method: string, path: string, body?: unknown): ReturnType<Visitor['call']>;
}
const test = suite<Office>('proof of identity before sensitive actions');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld({ abuseLimits: false }));
  office.account = await office.build.account();
  const visitor = new Visitor(await office.serve());
  const headers = bearer(office.account.token);
  office.ask = (method, path, body) =>
    visitor.call(method, path, { headers, ...(body !== undefined && { body }) });
});
test.after.each((office) => office.close());

const password = { current_password: PASSWORD };

/** Switches two-step sign-in on. @returns the code that the app shows, so many milliseconds from now. */
async function withApp({ ask, now }: Office): Promise<(ms?: number) => string> {
  const { json } = await ask('POST', '/api/auth/two-step/setup', password);
  const secret = Buffer.from(Secret.fromBase32(json.data.secret.replaceAll(' ', '')).bytes);
  const code = (ms = 0) => codeAt(secret, new Date(now().getTime() + ms));
  assert.is((await ask('POST', '/api/auth/two-step/confirm', { code: code() })).status, 200);
  return code;
}

/** Calls that need a recent proof of identity, so that nobody can make them in a session left open. */
const GUARDED: Record<string, (office: Office) => Promise<{ path: string; body: object }>> = {
  'POST /api/export': async () => ({ path: '/api/export', body: { what: 'everything' } }),
  'PUT /api/auth/profile': async () => ({ path: '/api/auth/profile', body: { email: 'new@rao.in' } }),
  'POST /api/auth/two-step/recovery-codes': async (office) => {
    await withApp(office);
    return { path: '/api/auth/two-step/recovery-codes', body: {} };
  },
  'POST /api/documents/:id/seal/break': async ({ services, build, account: { actor } }) => {
    const folder = await build.folder(actor, 'Audit');
    await build.file(actor, { parent_id: folder.id });
    await services.seals.seal(actor, folder.id, { reason: 'Audit is done' });
    return { path: `/api/documents/${folder.id}/seal/break`, body: { reason: 'One paper was missing' } };
  },
  'POST /api/shares of a top-level folder': async ({ build, account: { actor } }) => {
    const folder = await build.folder(actor, 'Meera');
    await build.file(actor, { parent_id: folder.id });
    return { path: '/api/shares', body: linkTo(folder.id) };
  },
  "POST /api/shares of a whole client's folder": async ({ build, db, account: { actor } }) => {
    const client_id = await build.client(actor, 'Meera');
    const folder = await build.folder(actor, 'Meera', (await build.folder(actor, 'Clients')).id);
    await db('item_rows').where({ id: folder.id }).update({ client_id });
    return { path: '/api/shares', body: linkTo(folder.id) };
  },
  'POST /api/shares of all that lies in a top-level folder': async ({ build, account: { actor } }) => {
    const folder = await build.folder(actor, 'Meera');
    const parts = [];
    for (const name of ['ITR', 'GST', 'Bank']) parts.push((await build.folder(actor, name, folder.id)).id);
    return { path: '/api/shares', body: linkTo(...parts) };
  },
  'PATCH /api/shares/:id of such a link': async (office) => {
    const { id, body } = await largeLink(office);
    return { path: `/api/shares/${id}`, body };
  },
  'POST /api/shares/:id/address of such a link': async (office) => {
    const { id } = await largeLink(office);
    return { path: `/api/shares/${id}/address`, body: {} };
  },
  'POST /api/team/invitations of an admin': async ({ services, account: { actor } }) => {
    await services.subscription.startTrial(actor);
    const body = { emails: 'arun@mail.in', role: 'admin', client_scope: 'all' };
    return { path: '/api/team/invitations', body };
  },
  'POST /api/team/invitations/:id/send of an admin': async ({ services, account: { actor } }) => {
    await services.subscription.startTrial(actor);
    const [sent] = await services.team.invite(actor, {
      ...v.parse(invitation, { emails: 'arun@mail.in', role: 'admin' }),
    });
    return { path: `/api/team/invitations/${sent!.id}/send`, body: {} };
  },
  'PATCH /api/team/:id to an admin': async ({ build, account: { actor } }) => {
    const { actor: ravi } = await build.colleague(actor);
    return { path: `/api/team/${ravi.userId}`, body: { role: 'admin' } };
  },
  'POST /api/team/:id/reactivate of an admin': async ({ db, services, build, account: { actor } }) => {
    await services.subscription.startTrial(actor);
    const { actor: ravi } = await build.colleague(actor, { role: 'admin' });
    await db('users').where({ id: ravi.userId }).update({ deactivated_at: 'now' });
    return { path: `/api/team/${ravi.userId}/reactivate`, body: {} };
  },
  'PUT /api/team/two-step to postpone the requirement': async (office) => {
    await withApp(office);
    await office.db('firms').update({ two_step_required_at: '2026-12-01T18:30:00.000Z' });
    return { path: '/api/team/two-step', body: { required: true, from: '2026-12-20' } };
  },
  'PUT /api/team/two-step to lift the requirement': async () => ({
    path: '/api/team/two-step',
    body: { required: false, from: null },
  }),
};

/** A link to a folder at the top. */
async function largeLink({ build, services, account: { actor } }: Office) {
  const folder = await build.folder(actor, 'Meera');
  await build.file(actor, { parent_id: folder.id });
  const { ids: _, ...body } = linkTo(folder.id);
  const made = await services.sharing.links.make(actor, v.parse(makeShare, linkTo(folder.id)));
  return { id: made.share.id, body };
}

const linkTo = (...ids: number[]) => ({
  ids,
  audience: 'anyone',
  mode: 'view',
  expires_on: '2026-11-25',
});

for (const [call, prepare] of Object.entries(GUARDED)) {
  test(`${call} needs a proof of identity of the last ten minutes`, async (office) => {
    const { path, body } = await prepare(office);
    const ask = () => office.ask(call.split(' ')[0]!, path, body);
    office.advance(PROOF_LASTS_MS);
    const { status, json } = await ask();
    assert.equal([status, json.code], [403, 'proof_needed']);
    assert.is((await office.ask('POST', '/api/auth/prove', password)).status, 200);
    office.advance(PROOF_LASTS_MS - 1);
    const after = await ask();
    assert.ok(after.status < 300, after.text);
  });
}

test('only the export route declares that it needs a recent proof, so that none is added or lost unnoticed', async (office) => {
  const declared = routersOf(office.services)
    .flatMap((router) => router.stack)
    .filter(({ stack }) => (stack as unknown[]).includes(requireRecentProof))
    .flatMap(({ methods, path }) =>
      methods
        .filter((method) => method !== 'HEAD')
        .map((method) => `${method} ${String(path).replace(/\/$/, '')}`),
    );
  assert.equal(declared, ['POST /api/export']);
});

test('everyday actions, such as sharing a file or changing a name, need no recent proof', async (office) => {
  const { build, account } = office;
  const top = await build.folder(account.actor, 'Meera');
  const inner = await build.folder(account.actor, 'ITR', top.id);
  const file = await build.file(account.actor, { parent_id: inner.id });
  office.advance(PROOF_LASTS_MS);
  for (const id of [inner.id, file.id])
    assert.is((await office.ask('POST', '/api/shares', linkTo(id))).status, 201);
  assert.is(
    (await office.ask('PUT', '/api/auth/profile', { name: 'Asha', email: account.email })).status,
    200,
  );
});

test('a password, an app code or a passkey is a proof; wrong ones, recovery codes and used passkey responses are refused', async (office) => {
  const { ask, db, now } = office;
  const prove = (body: unknown) => ask('POST', '/api/auth/prove', body);
  const isProven = async () => (await ask('POST', '/api/export', { what: 'history' })).status === 200;
  const code = await withApp(office);
  const origin = 'http://localhost:3000';
  const device = new Authenticator(origin);
  const creation = (await ask('POST', '/api/auth/passkeys/options', password)).json.data;
  await ask('POST', '/api/auth/passkeys', { name: 'Laptop', response: device.create(creation) });
  assert.equal((await ask('GET', '/api/auth/prove')).json.data.ways, ['app', 'passkey']);
  office.advance(PROOF_LASTS_MS);
  assert.equal(Object.keys((await prove({ current_password: 'guess' })).json.errors), ['current_password']);
  assert.equal(Object.keys((await prove({ code: '000000' })).json.errors), ['code']);
  const [recovery] = (await ask('POST', '/api/auth/two-step/recovery-codes', password)).json.data
    .recovery_codes;
  await db('sessions').update({ proved_at: null });
  assert.is((await prove({ code: recovery })).status, 422, 'a recovery code is for signing in');
  const used = code();
  assert.not(await isProven());
  assert.is((await prove({ code: used })).status, 200);
  assert.ok(await isProven());
  office.advance(PROOF_LASTS_MS);
  const asked = (await ask('POST', '/api/auth/prove/passkey')).json.data;
  const forSigningIn = await office.services.auth.withPasskey.requestOptions();
  assert.is((await prove({ response: device.sign(forSigningIn) })).json.code, 'passkey_refused');
  assert.not(await isProven());
  const response = device.sign(asked);
  assert.is((await prove({ response })).status, 200);
  assert.ok(await isProven());
  office.advance(1000);
  assert.is((await prove({ response })).status, 422, 'an answer is good once');
  assert.is((await db('sessions').first()).proved_at < now().toISOString(), true);
});

test('a session without a proof, or with one dated in the future after a clock change, is asked for a proof', async (office) => {
  const status = async () => (await office.ask('POST', '/api/export', { what: 'history' })).status;
  office.shiftClock(-2 * 24 * 60 * 60_000);
  assert.is(await status(), 403);
  office.shiftClock(2 * 24 * 60 * 60_000);
  assert.is(await status(), 200);
  await office.db('sessions').update({ proved_at: null });
  assert.is(await status(), 403);
});

test.run();
