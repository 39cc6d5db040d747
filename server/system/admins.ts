import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { AppError, forbidden, notFound } from '#server/http/errors.ts';

export interface InstallationAdmin {
  user_id: number;
  name: string;
  email: string;
}

/**
 * The installation's admins: users of any firm whom the environment names by e-mail, or the admin command by
 * their account. They see the state of the system and nobody's documents.
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
   * Selects the users whom the environment or the command names. Until there is one, the admins of the oldest
   * firm are selected, so that somebody is told when a backup is late.
   */
  async function installationAdmins(db: Knex): Promise<(of: Knex.QueryBuilder) => void> {
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
      .where(await installationAdmins(within))
      .orderBy('email')
      .select('id as user_id', 'name', 'email');
  }

  async function isAdmin({ userId }: Pick<Actor, 'userId'>): Promise<boolean> {
    const found = await active(db)
      .where(await installationAdmins(db))
      .where({ id: userId })
      .first('id');
    return found !== undefined;
  }

  /** Being an admin is no permission, so it does not go by itself while the user owes two-step sign-in. */
  const has = async (actor: Pick<Actor, 'userId' | 'owesTwoStep'>): Promise<boolean> =>
    !actor.owesTwoStep && isAdmin(actor);

  /** Whether the user may receive the master key: only an explicitly named admin, unless there is just one firm. */
  async function mayHoldKey(actor: Pick<Actor, 'userId' | 'owesTwoStep'>): Promise<boolean> {
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
    /** Like `list`, within a transaction. */
    listOf,
    has,
    mayHoldKey,
    /**
     * @throws {AppError} 404, so that nobody else sees that the screen exists; 403 for an admin who owes two-step
     * sign-in.
     */
    async requireAdmin(actor: Actor): Promise<void> {
      if (await has(actor)) return;
      throw (await isAdmin(actor)) ? forbidden() : notFound('page');
    },
    /** Addresses from the environment without an account: whoever registers one of them becomes an admin. */
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
