import type { Knex } from 'knex';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { AppError, conflict } from '#server/http/errors.ts';
import type { Clock } from '../../clock.ts';
import type { Challenges, Purpose } from './challenges.ts';
import { ANSWER_TIMEOUT_MS } from './challenges.ts';
import type { PasskeyRequestOptions } from './contract.ts';
import type { PasskeyRow } from './model.ts';
import { bytesOf, descriptorOf, webauthn } from './model.ts';
import type { RelyingParty } from './relying-party.ts';

/** The passkey that signed, and its owner. */
interface VerifiedPasskey {
  userId: number;
  name: string;
  /**
   * Records the use; false when this assertion was used before. Call it in the transaction that acts on the
   * assertion.
   */
  spend(trx: Knex.Transaction): Promise<boolean>;
}

/** One text for every reason: a reason would reveal who has a passkey. */
export const passkeyRefused = (status: 401 | 422 = 401) =>
  new AppError(
    status,
    'passkey_refused',
    'This passkey does not open an account here, or it took too long. Please try again, or use your password.',
  );

/** WebAuthn assertions: the request to a device to sign, and the verification of its signature. */
export function createAssertions({
  db,
  clock,
  site,
  challenges,
}: {
  db: Knex;
  clock: Clock;
  site: RelyingParty | null;
  challenges: Challenges;
}) {
  return {
    /** The options for `navigator.credentials.get`; without a user in the purpose, any passkey of this site may sign. */
    async requestOptions(purpose: Purpose): Promise<PasskeyRequestOptions> {
      if (!site) throw conflict('Passkeys cannot be used at this address.', 'passkeys_unavailable');
      const rows: PasskeyRow[] =
        purpose.userId === null ? [] : await db('passkeys').where({ user_id: purpose.userId }).orderBy('id');
      const { generateAuthenticationOptions } = await webauthn();
      return generateAuthenticationOptions({
        rpID: site.id,
        challenge: bytesOf(challenges.issue(purpose)),
        timeout: ANSWER_TIMEOUT_MS,
        userVerification: 'required',
        ...(purpose.userId !== null && { allowCredentials: rows.map(descriptorOf) }),
      });
    },

    /**
     * @returns null for every failure: an unknown passkey, a passkey of another user or site, an expired challenge,
     * or a copied key.
     */
    async verify(
      response: AuthenticationResponseJSON,
      isAllowed: (purpose: Purpose) => boolean,
    ): Promise<VerifiedPasskey | null> {
      if (!site) return null;
      const row: PasskeyRow | undefined = await db('passkeys').where({ credential_id: response.id }).first();
      if (!row) return null;
      const { userHandle } = response.response;
      if (userHandle && userHandle !== row.user_handle) return null;
      const { verifyAuthenticationResponse } = await webauthn();
      let challenge = '';
      const verification = await verifyAuthenticationResponse({
        response,
        expectedChallenge(received) {
          challenge = received;
          const purpose = challenges.read(received);
          if (!purpose || !isAllowed(purpose)) return false;
          return purpose.userId === null || purpose.userId === row.user_id;
        },
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        requireUserVerification: true,
        credential: {
          id: row.credential_id,
          publicKey: new Uint8Array(row.public_key),
          counter: Number(row.counter),
          transports: JSON.parse(row.transports),
        },
      }).catch(() => null);
      if (!verification?.verified) return null;
      const { newCounter, credentialBackedUp } = verification.authenticationInfo;
      return {
        userId: row.user_id,
        name: row.name,
        async spend(trx) {
          if (!(await challenges.spend(trx, challenge))) return false;
          const usage = {
            counter: newCounter,
            backed_up: credentialBackedUp,
            last_used_at: clock().toISOString(),
          };
          // Of two concurrent assertions with the same counter, the second comes from a copy of the key.
          const counted = trx('passkeys').where({ id: row.id }).where('counter', row.counter);
          return (await counted.update(usage)) === 1;
        },
      };
    },
  };
}
