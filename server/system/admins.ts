import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { AppError, notFound } from '#server/http/errors.ts';

export interface InstallationAdmin {
  user_id: number;
  name: string;
  email: string;
}

/**
 * Who looks after the installation: people of any firm whom the environment names by e-mail, or the admin command by
 * their account. They see how the server is, and no document of anybody.
 */
export function createInstallationAdmins({
  db,
  clock,
  emails,
}: {
  db: Knex;
  clock: Clock;
  emails: readonly string[];
}) {
  const active = (db: Knex) => db('users').whereNull('deactivated_at');
  /**
   * Whom the environment or the command names. Somebody has to hear of a backup that is late: until anybody is named, they are
   * the admins of the firm that was there first.
   */
  async function appointed(db: Knex): Promise<(of: Knex.QueryBuilder) => void> {
    const named = (of: Knex.QueryBuilder): void =>
      void of.whereIn('email', emails).orWhereIn('id', db('installation_admins').select('user_id'));
    if (emails.length > 0 || (await active(db).where(named).first('id'))) return named;
    return (of) => void of.where({ role: 'admin' }).where('firm_id', db('users').min('firm_id'));
  }

  async function account(db: Knex, email: string): Promise<InstallationAdmin> {
    const user = await active(db).where({ email: email.trim().toLowerCase() }).first('id', 'name', 'email');
    if (!user)
      throw new AppError(404, 'not_found', `Nobody with an account has the e-mail address "${email}".`);
    return { user_id: user.id, name: user.name, email: user.email };
  }

  async function listOf(within: Knex): Promise<InstallationAdmin[]> {
    return active(within)
      .where(await appointed(within))
      .orderBy('email')
      .select('id as user_id', 'name', 'email');
  }

  async function has({ userId }: Pick<Actor, 'userId'>): Promise<boolean> {
    const found = await active(db)
      .where(await appointed(db))
      .where({ id: userId })
      .first('id');
    return found !== undefined;
  }

  /** Whether the key of everything may be given to the person: to who is named, or where there is one firm alone. */
  async function mayHoldKey(actor: Pick<Actor, 'userId'>): Promise<boolean> {
    if (!(await has(actor))) return false;
    const firms: number[] = await db('users').distinct('firm_id').limit(2).pluck('firm_id');
    if (firms.length < 2) return true;
    const named = await db('installation_admins').where({ user_id: actor.userId }).first('user_id');
    return (
      named !== undefined ||
      (await active(db).where({ id: actor.userId }).whereIn('email', emails).first('id')) !== undefined
    );
  }

  return {
    list: (): Promise<InstallationAdmin[]> => listOf(db),
    /** As `list`, within a transaction. */
    listOf,
    has,
    mayHoldKey,
    /** @throws {AppError} 404: for everybody else there is no such screen. */
    async demand(actor: Actor): Promise<void> {
      if (!(await has(actor))) throw notFound('page');
    },
    /** Addresses of the environment for which there is no account, and which the next to register could take. */
    async withoutAccount(): Promise<string[]> {
      const known: string[] = await db('users').whereIn('email', emails).pluck('email');
      return emails.filter((email) => !known.includes(email));
    },
    /** @throws {AppError} 404 when nobody has the address. */
    add: (email: string): Promise<InstallationAdmin> =>
      db.transaction(async (trx) => {
        const user = await account(trx, email);
        const added_at = clock().toISOString();
        await trx('installation_admins').insert({ user_id: user.user_id, added_at }).onConflict().ignore();
        return user;
      }),
    /** @throws {AppError} 404 when nobody has the address; 422 when the environment names it. */
    remove: (email: string): Promise<InstallationAdmin> =>
      db.transaction(async (trx) => {
        const user = await account(trx, email);
        if (emails.includes(user.email)) {
          const message = `${user.email} is named by INSTALLATION_ADMINS. Take it out there and restart.`;
          throw new AppError(422, 'named_by_environment', message);
        }
        await trx('installation_admins').where({ user_id: user.user_id }).delete();
        return user;
      }),
  };
}
