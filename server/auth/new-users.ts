import type { Knex } from 'knex';
import type { Origin } from '#server/http/context.ts';
import type { Clock } from '../clock.ts';
import { asEmailTaken } from './accounts.ts';
import type { Person } from './contract.ts';
import { User } from './model.ts';
import type { Passwords } from './passwords.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { Entry } from './sign-in.ts';
import { refuseWeak } from './weak-passwords.ts';

export type NewUser = Pick<User, 'firm_id' | 'name' | 'email' | 'role' | 'client_scope' | 'password_hash'>;

/** What it takes to become a user of a firm that is there already. */
export function createNewUsers({
  clock,
  passwords,
  enter,
}: {
  clock: Clock;
  passwords: Passwords;
  enter: (trx: Knex.Transaction, user: User, origin: Origin) => Promise<Entry>;
}) {
  return {
    /** What opens something once, and what is kept of it. */
    secret(): { token: string; hash: string } {
      const token = newSecret();
      return { token, hash: fingerprint(token) };
    },
    fingerprint,

    /** @throws {AppError} 422 on `password` when it is too easy to guess. */
    async hash(password: string, person: Person): Promise<string> {
      await refuseWeak(password, person);
      return passwords.hash(password);
    },

    /**
     * Makes the user and signs in; `prepare` comes between the two. @throws {AppError} 422 on `email` when it is taken.
     */
    async add(
      trx: Knex.Transaction,
      newcomer: NewUser,
      { origin, prepare }: { origin: Origin; prepare: (userId: number) => Promise<void> },
    ): Promise<Entry> {
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
        .catch(asEmailTaken);
      await prepare(user.id);
      return enter(trx, user, origin);
    },
  };
}
