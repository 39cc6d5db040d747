import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Sealer } from '#server/datadir/sealing.ts';
import { AppError, conflict, forbidden, notFound } from '#server/http/errors.ts';
import { newSecret } from '#server/http/secrets.ts';
import type { Audit } from '../../audit/service.ts';
import type { Clock } from '../../clock.ts';
import { viewOf } from '../accounts.ts';
import type { SendEmail } from '../emails.ts';
import { replaceRecoveryCodes } from '../recovery-codes.ts';
import { hasSecondFactor, isDemanded } from '../second-factor.ts';
import { createAnswers } from './answers.ts';
import { ANSWER_WITHIN, createChallenges } from './challenges.ts';
import type { NewPasskey, PasskeyAdded, PasskeyCreation, PasskeyView } from './contract.ts';
import { PASSKEYS_MOST } from './contract.ts';
import { passkeyAdded, passkeyRemoved } from './emails.ts';
import type { PasskeyRow } from './model.ts';
import { ALGORITHMS, bytesOf, named, viewOfRow, webauthn } from './model.ts';
import { relyingParty } from './relying-party.ts';

const unavailable = () =>
  conflict(
    'Passkeys need an https address with a name. Ask whoever runs this server to set one as BASE_URL.',
    'passkeys_unavailable',
  );
const notMade = () =>
  new AppError(422, 'passkey_refused', 'This passkey could not be added. Please begin again.');
const LAST =
  'Your firm asks everyone to use two-step sign-in, so your only passkey cannot be removed. Add another one first, or set up codes from an app.';

export interface PasskeyParts {
  db: Knex;
  clock: Clock;
  audit: Audit;
  /** Keeps the purpose of a challenge within it. */
  seal: Sealer;
  settings: { appName: string; baseUrl: string };
  sendEmail: SendEmail;
  /** Rejects unless it is the actor's password. */
  prove: (actor: Actor, password: string) => Promise<unknown>;
}

/**
 * Passkeys, by which people sign in without a password. The device proves that it holds the key and that it has checked its
 * owner by a fingerprint or a PIN, so that one passkey counts as both steps. Public keys are kept as they are: nobody signs
 * in with them, and the database is sealed as a whole.
 */
export function createPasskeys(use: PasskeyParts) {
  const { db, clock, audit, sendEmail, prove } = use;
  const site = relyingParty(use.settings.baseUrl, use.settings.appName);
  const challenges = createChallenges(use);

  const rowsOf = (db: Knex, userId: number): Promise<PasskeyRow[]> =>
    db('passkeys').where({ user_id: userId }).orderBy('id');

  async function find(trx: Knex.Transaction, actor: Actor, id: number): Promise<PasskeyRow> {
    const row: PasskeyRow | undefined = await trx('passkeys').where({ id, user_id: actor.userId }).first();
    if (!row) throw notFound('passkey');
    return row;
  }

  /** What the browser says that it made. @throws {AppError} 422 `passkey_refused`. */
  async function verified(actor: Actor, { response }: NewPasskey) {
    if (!site) throw unavailable();
    const { verifyRegistrationResponse } = await webauthn();
    let challenge = '';
    let handle = '';
    const { registrationInfo: made } = await verifyRegistrationResponse({
      response,
      expectedChallenge(given) {
        const purpose = challenges.read(given);
        [challenge, handle] = [given, purpose?.handle ?? ''];
        return (
          purpose?.what === 'add' && purpose.userId === actor.userId && purpose.sessionId === actor.sessionId
        );
      },
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => ({ registrationInfo: undefined }));
    if (!made) throw notMade();
    return { ...made, challenge, handle };
  }

  return {
    /** Whether browsers offer passkeys for the address of this server. */
    available: site !== null,

    /** The person's own, the oldest first. */
    list: async (actor: Actor): Promise<PasskeyView[]> => (await rowsOf(db, actor.userId)).map(viewOfRow),

    /** What the browser needs to make a new one. @throws {AppError} 403, 409, 422 on `current_password`, 429. */
    async begin(actor: Actor, password: string): Promise<PasskeyCreation> {
      if (actor.app || actor.program) throw forbidden();
      if (!site) throw unavailable();
      await prove(actor, password);
      const rows = await rowsOf(db, actor.userId);
      if (rows.length >= PASSKEYS_MOST)
        throw conflict(`You have ${PASSKEYS_MOST} passkeys. Remove one that is no longer used first.`);
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
        challenge: bytesOf(challenges.give({ what: 'add', userId, sessionId, handle })),
        timeout: ANSWER_WITHIN,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: rows.map(named),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },

    /**
     * Keeps the passkey that the browser made. With the first second step of an account come its recovery codes.
     * @throws {AppError} 409; 422 `passkey_refused`.
     */
    async add(actor: Actor, input: NewPasskey): Promise<PasskeyAdded> {
      const { challenge, handle, credential, credentialBackedUp } = await verified(actor, input);
      const name = input.name;
      return db.transaction(async (trx) => {
        const isThere = await trx('passkeys').where({ credential_id: credential.id }).first('id');
        if (isThere || !(await challenges.spend(trx, challenge))) throw notMade();
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
        const recovery_codes = isFirst ? await replaceRecoveryCodes(trx, actor.userId) : null;
        return { passkey: viewOfRow({ id, ...row }), recovery_codes };
      });
    },

    /** @throws {AppError} 404. */
    rename: (actor: Actor, id: number, name: string): Promise<PasskeyView> =>
      db.transaction(async (trx) => {
        const row = await find(trx, actor, id);
        if (row.name === name) return viewOfRow(row);
        await trx('passkeys').where({ id }).update({ name });
        const detail = { from: row.name, to: name };
        await audit.record(trx, { actor, did: 'auth.passkey_renamed', detail });
        return viewOfRow({ ...row, name });
      }),

    /** @throws {AppError} 404; 409 when it is the only second step and the firm demands one; 422 on `current_password`; 429. */
    async remove(actor: Actor, id: number, password: string): Promise<void> {
      await db.transaction((trx) => find(trx, actor, id));
      await prove(actor, password);
      await db.transaction(async (trx) => {
        const { name } = await find(trx, actor, id);
        await trx('passkeys').where({ id }).delete();
        const left = await hasSecondFactor(trx, actor.userId);
        if (!left && (await isDemanded(trx, actor.firmId, clock())))
          throw conflict(LAST, 'two_step_required');
        // They stand for a second step; without one the password alone signs in.
        if (!left) await trx('recovery_codes').where({ user_id: actor.userId }).delete();
        await audit.record(trx, { actor, did: 'auth.passkey_removed', detail: { name } });
        await sendEmail(trx, actor.userId, passkeyRemoved(name, left));
      });
    },

    ...createAnswers({ ...use, site, challenges }),
    sweep: challenges.sweep,
  };
}
export type Passkeys = ReturnType<typeof createPasskeys>;
