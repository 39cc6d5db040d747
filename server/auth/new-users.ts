import type { Knex } from 'knex';
import type { Origin } from '#server/http/context.ts';
import type { Clock } from '../clock.ts';
import { rethrowEmailTaken } from './accounts.ts';
import type { Person } from './contract.ts';
import { User } from './model.ts';
import type { Passwords } from './passwords.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { SignInResult } from './sign-in.ts';
import { refuseWeak } from './weak-passwords.ts';

type NewUser = Pick<User, 'firm_id' | 'name' | 'email' | 'role' | 'client_scope' | 'password_hash'>;

/** Adds users to an existing firm. */
export function createNewUsers({
  clock,
  passwords,
  completeSignIn,
}: {
  clock: Clock;
  passwords: Passwords;
  completeSignIn: (trx: Knex.Transaction, user: User, origin: Origin) => Promise<SignInResult>;
}) {
  return {
    /** A new single-use token, and the hash to store. */
    secret(): { token: string; hash: string } {
      const token = newSecret();
      return { token, hash: fingerprint(token) };
    },
    fingerprint,

    /** @throws {AppError} 422 on `password` when it is easy to guess. */
    async hash(password: string, person: Person): Promise<string> {
      await refuseWeak(password, person);
      return passwords.hash(password);
    },

    /**
     * Inserts the user, runs `prepare` and signs the user in. @throws {AppError} 422 on `email` when another account
     * uses it.
     */
    async add(
      trx: Knex.Transaction,
      newcomer: NewUser,
      { origin, prepare }: { origin: Origin; prepare: (userId: number) => Promise<void> },
    ): Promise<SignInResult> {
      const now = clock().toISOString();
      const user = await User.query(trx)
        .insert({
          ...newcomer,
          phone: '',
          ca_license_number: '',
          permissions: '[]',
          permissions_taken: '[]',
          networks: '[]',
          deactivated_at: null,
          created_at: now,
          updated_at: now,
        })
        .catch(rethrowEmailTaken);
      await prepare(user.id);
      return completeSignIn(trx, user, origin);
    },
  };
}
