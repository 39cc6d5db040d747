import type { Knex } from 'knex';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { AppError, conflict } from '#server/http/errors.ts';
import type { Clock } from '../../clock.ts';
import type { Challenges, Purpose } from './challenges.ts';
import { ANSWER_WITHIN } from './challenges.ts';
import type { PasskeyQuestion } from './contract.ts';
import type { PasskeyRow } from './model.ts';
import { bytesOf, named, webauthn } from './model.ts';
import type { RelyingParty } from './relying-party.ts';

/** The passkey that answered, and whose it is. */
export interface Answered {
  userId: number;
  name: string;
  /** Notes its use; false when this answer was used before. To be called in the transaction that acts on it. */
  spend(trx: Knex.Transaction): Promise<boolean>;
}

/** One text for every reason, or it would tell whose passkeys there are. */
export const passkeyRefused = (status: 401 | 422 = 401) =>
  new AppError(
    status,
    'passkey_refused',
    'This passkey does not open an account here, or it took too long. Please try again, or use your password.',
  );

/** Asking a device to sign, and what its answer is worth. */
export function createAnswers({
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
    /** What the browser has a passkey sign; any of this site's where the purpose names nobody. */
    async ask(purpose: Purpose): Promise<PasskeyQuestion> {
      if (!site) throw conflict('Passkeys cannot be used at this address.', 'passkeys_unavailable');
      const rows: PasskeyRow[] =
        purpose.userId === null ? [] : await db('passkeys').where({ user_id: purpose.userId }).orderBy('id');
      const { generateAuthenticationOptions } = await webauthn();
      return generateAuthenticationOptions({
        rpID: site.id,
        challenge: bytesOf(challenges.give(purpose)),
        timeout: ANSWER_WITHIN,
        userVerification: 'required',
        ...(purpose.userId !== null && { allowCredentials: rows.map(named) }),
      });
    },

    /** @returns null for what is not right for any reason: unknown, another's, another site's, run out, or from a copied key. */
    async check(
      response: AuthenticationResponseJSON,
      fits: (purpose: Purpose) => boolean,
    ): Promise<Answered | null> {
      if (!site) return null;
      const row: PasskeyRow | undefined = await db('passkeys').where({ credential_id: response.id }).first();
      if (!row) return null;
      const { userHandle } = response.response;
      if (userHandle && userHandle !== row.user_handle) return null;
      const { verifyAuthenticationResponse } = await webauthn();
      let challenge = '';
      const answer = await verifyAuthenticationResponse({
        response,
        expectedChallenge(given) {
          challenge = given;
          const purpose = challenges.read(given);
          if (!purpose || !fits(purpose)) return false;
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
      if (!answer?.verified) return null;
      const { newCounter, credentialBackedUp } = answer.authenticationInfo;
      return {
        userId: row.user_id,
        name: row.name,
        async spend(trx) {
          if (!(await challenges.spend(trx, challenge))) return false;
          const used = {
            counter: newCounter,
            backed_up: credentialBackedUp,
            last_used_at: clock().toISOString(),
          };
          // Of two answers at once with one count, the second is from a copy of the key.
          const counted = trx('passkeys').where({ id: row.id }).where('counter', row.counter);
          return (await counted.update(used)) === 1;
        },
      };
    },
  };
}
