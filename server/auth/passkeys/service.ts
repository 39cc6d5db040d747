import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Sealer } from '#server/db/column-encryption.ts';
import { AppError, conflict, forbidden, notFound } from '#server/http/errors.ts';
import { newSecret } from '#server/http/secrets.ts';
import type { Audit } from '../../audit/service.ts';
import type { Clock } from '../../clock.ts';
import { viewOf } from '../accounts.ts';
import type { SendEmail } from '../emails.ts';
import { requireLiveSession } from '../live-session.ts';
import { replaceRecoveryCodes } from '../recovery-codes.ts';
import { hasSecondFactor, isTwoStepRequired } from '../second-factor.ts';
import { createAssertions } from './assertions.ts';
import { ANSWER_TIMEOUT_MS, createChallenges } from './challenges.ts';
import type { NewPasskey, PasskeyAdded, PasskeyCreationOptions, PasskeyView } from './contract.ts';
import { MAX_PASSKEYS } from './contract.ts';
import { passkeyAdded, passkeyRemoved } from './emails.ts';
import type { PasskeyRow } from './model.ts';
import { ALGORITHMS, bytesOf, descriptorOf, toPasskeyView, webauthn } from './model.ts';
import { relyingParty } from './relying-party.ts';

const unavailable = () =>
  conflict(
    'Passkeys need an https address with a name. Ask whoever runs this server to set one as BASE_URL.',
    'passkeys_unavailable',
  );
const refused = () =>
  new AppError(422, 'passkey_refused', 'This passkey could not be added. Please begin again.');
const LAST_SECOND_STEP =
  'Your firm asks everyone to use two-step sign-in, so your only passkey cannot be removed. Add another one first, or set up codes from an app.';

interface PasskeyDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  /** Seals the purpose into a challenge. */
  seal: Sealer;
  settings: { appName: string; baseUrl: string };
  sendEmail: SendEmail;
  /** Rejects unless it is the actor's password. */
  prove: (actor: Actor, password: string) => Promise<unknown>;
}

/**
 * Passkeys for signing in without a password. The device proves that it holds the key and that it has verified its
 * owner by a fingerprint or a PIN, so that one passkey counts as both steps. Public keys are stored unencrypted: they
 * cannot sign anybody in.
 */
export function createPasskeys(dependencies: PasskeyDependencies) {
  const { db, clock, audit, sendEmail, prove } = dependencies;
  const site = relyingParty(dependencies.settings.baseUrl, dependencies.settings.appName);
  const challenges = createChallenges(dependencies);

  const rowsOf = (db: Knex, userId: number): Promise<PasskeyRow[]> =>
    db('passkeys').where({ user_id: userId }).orderBy('id');

  async function find(trx: Knex.Transaction, actor: Actor, id: number): Promise<PasskeyRow> {
    const row: PasskeyRow | undefined = await trx('passkeys').where({ id, user_id: actor.userId }).first();
    if (!row) throw notFound('passkey');
    return row;
  }

  /** Verifies the registration response of the browser. @throws {AppError} 422 `passkey_refused`. */
  async function verifyRegistration(actor: Actor, { response }: NewPasskey) {
    if (!site) throw unavailable();
    const { verifyRegistrationResponse } = await webauthn();
    let challenge = '';
    let handle = '';
    const { registrationInfo: registration } = await verifyRegistrationResponse({
      response,
      expectedChallenge(received) {
        const purpose = challenges.read(received);
        [challenge, handle] = [received, purpose?.handle ?? ''];
        return (
          purpose?.what === 'add' && purpose.userId === actor.userId && purpose.sessionId === actor.sessionId
        );
      },
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => ({ registrationInfo: undefined }));
    if (!registration) throw refused();
    return { ...registration, challenge, handle };
  }

  return {
    /** Whether browsers offer passkeys for the address of this server. */
    available: site !== null,

    /** The actor's own passkeys, oldest first. */
    list: async (actor: Actor): Promise<PasskeyView[]> => (await rowsOf(db, actor.userId)).map(toPasskeyView),

    /** The options for creating a passkey. @throws {AppError} 403, 409, 422 on `current_password`, 429. */
    async begin(actor: Actor, password: string): Promise<PasskeyCreationOptions> {
      if (actor.app || actor.program) throw forbidden();
      if (!site) throw unavailable();
      await prove(actor, password);
      const rows = await rowsOf(db, actor.userId);
      if (rows.length >= MAX_PASSKEYS)
        throw conflict(`You have ${MAX_PASSKEYS} passkeys. Remove one that is no longer used first.`);
      const { name, email } = await viewOf(db, actor.userId);
      const handle = rows[0]?.user_handle ?? newSecret();
      const { userId, sessionId } = actor;
      const { generateRegistrationOptions } = await webauthn();
      return generateRegistrationOptions({
        rpName: site.name,
        rpID: site.id,
        userName: email,
        userDisplayName: name,
        userID: bytesOf(handle),
        challenge: bytesOf(challenges.issue({ what: 'add', userId, sessionId, handle })),
        timeout: ANSWER_TIMEOUT_MS,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: rows.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },

    /**
     * Stores a new passkey. The first second step of an account also creates its recovery codes.
     * @throws {AppError} 401 once the session has ended; 409; 422 `passkey_refused`.
     */
    async add(actor: Actor, input: NewPasskey): Promise<PasskeyAdded> {
      const { challenge, handle, credential, credentialBackedUp } = await verifyRegistration(actor, input);
      const name = input.name;
      return db.transaction(async (trx) => {
        await requireLiveSession(trx, actor);
        const isRegistered = await trx('passkeys').where({ credential_id: credential.id }).first('id');
        if (isRegistered || !(await challenges.spend(trx, challenge))) throw refused();
        const isFirst = !(await hasSecondFactor(trx, actor.userId));
        const created_at = clock().toISOString();
        const row = {
          user_id: actor.userId,
          name,
          credential_id: credential.id,
          public_key: Buffer.from(credential.publicKey),
          counter: credential.counter,
          transports: JSON.stringify(credential.transports ?? []),
          user_handle: handle,
          backed_up: credentialBackedUp,
          created_at,
          last_used_at: null,
        };
        const [{ id }] = await trx('passkeys').insert(row).returning('id');
        await audit.record(trx, { actor, did: 'auth.passkey_added', detail: { name } });
        await sendEmail(trx, actor.userId, passkeyAdded(name));
        const recovery_codes = isFirst ? await replaceRecoveryCodes(trx, actor.userId, clock()) : null;
        return { passkey: toPasskeyView({ id, ...row }), recovery_codes };
      });
    },

    /** @throws {AppError} 404. */
    rename: (actor: Actor, id: number, name: string): Promise<PasskeyView> =>
      db.transaction(async (trx) => {
        const row = await find(trx, actor, id);
        if (row.name === name) return toPasskeyView(row);
        await trx('passkeys').where({ id }).update({ name });
        const detail = { from: row.name, to: name };
        await audit.record(trx, { actor, did: 'auth.passkey_renamed', detail });
        return toPasskeyView({ ...row, name });
      }),

    /** @throws {AppError} 404; 409 when it is the only second step and the firm demands one; 422 on `current_password`; 429. */
    async remove(actor: Actor, id: number, password: string): Promise<void> {
      await db.transaction((trx) => find(trx, actor, id));
      await prove(actor, password);
      await db.transaction(async (trx) => {
        const { name } = await find(trx, actor, id);
        await trx('passkeys').where({ id }).delete();
        const hasSecondStepLeft = await hasSecondFactor(trx, actor.userId);
        if (!hasSecondStepLeft && (await isTwoStepRequired(trx, actor.firmId, clock())))
          throw conflict(LAST_SECOND_STEP, 'two_step_required');
        // Recovery codes replace a second step; without one the password alone signs in.
        if (!hasSecondStepLeft) await trx('recovery_codes').where({ user_id: actor.userId }).delete();
        await audit.record(trx, { actor, did: 'auth.passkey_removed', detail: { name } });
        await sendEmail(trx, actor.userId, passkeyRemoved(name, hasSecondStepLeft));
      });
    },

    ...createAssertions({ ...dependencies, site, challenges }),
    sweep: challenges.sweep,
  };
}
export type Passkeys = ReturnType<typeof createPasskeys>;
