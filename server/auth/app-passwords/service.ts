import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor, Permission } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import { queryRow } from '#server/db/sql.ts';
import type { Origin } from '#server/http/context.ts';
import { forbidden, invalid, notFound } from '#server/http/errors.ts';
import { placeName } from '#server/http/place-name.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import { currentScope } from '#server/http/scope.ts';
import { fingerprint } from '#server/http/secrets.ts';
import { refusalOf } from '../admission.ts';
import type { SendEmail } from '../emails.ts';
import { appPasswordMade } from '../emails.ts';
import type { SessionRow } from '../model.ts';
import { actorFrom } from '../model.ts';
import { appPasswordTry } from '../rate-limits.ts';
import { SEATED, TWO_STEP_FROM, nows } from '../seats.ts';
import type { AppPasswordView, NewAppPassword } from './contract.ts';
import { APP_PASSWORDS_MOST } from './contract.ts';

/** `last_used_at` is no more exact than this, in ms, so that looking into a folder does not write. */
const TOUCH = 60_000;

// Without those that look like another one: people type it into scanners.
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 25;

/** 125 random bits in groups of five, for typing. */
const newPassword = (): string =>
  Array.from(randomBytes(LENGTH), (byte, at) => (at > 0 && at % 5 === 0 ? '-' : '') + SIGNS[byte % 32]).join(
    '',
  );

/** As many bits as it has cannot be guessed, so a fast hash is enough. */
const hashOf = (password: string): string => fingerprint(password.toLowerCase().replace(/[-\s]/g, ''));

const LOOKS: readonly Permission[] = ['documents.read', 'documents.download', 'documents.unassigned'];
const WORKS: readonly Permission[] = [...LOOKS, 'documents.write', 'documents.delete'];

const FIND = `
  SELECT 0 AS id, s.id AS app_id, s.name AS app_name, s.read_only, s.folder_id, s.last_used_at, s.last_ip, u.email,
    s.user_id, u.firm_id, u.role, u.permissions, u.permissions_taken, u.client_scope, u.work_hours, u.networks,
    u.daily_downloads, ${SEATED} AS seated, ${TWO_STEP_FROM} AS two_step_from
  FROM app_passwords s JOIN users u ON u.id = s.user_id
  WHERE s.token_hash = ? AND u.deactivated_at IS NULL`;

type Found = Omit<SessionRow, 'last_used_at'> & {
  app_id: number;
  app_name: string;
  read_only: number;
  folder_id: number | null;
  last_used_at: string | null;
  last_ip: string | null;
  email: string;
};

interface Row {
  id: number;
  name: string;
  read_only: number;
  folder_id: number | null;
  created_at: string;
  last_used_at: string | null;
  last_ip: string | null;
}

const viewOf = ({ last_ip, read_only, ...row }: Row, here?: string): AppPasswordView => ({
  ...row,
  read_only: Boolean(read_only),
  folder_name: null,
  last_place: last_ip === null ? null : placeName(last_ip, here),
});

/** Passwords for programs that cannot ask for a second step. Each does less than its owner may, and ends by itself. */
export function createAppPasswords({
  db,
  clock,
  log,
  audit,
  deferred,
  limits,
  prove,
  sendEmail,
}: {
  db: Knex;
  clock: Clock;
  log: Logger;
  audit: Audit;
  deferred: Pick<DeferredWrites, 'write'>;
  limits: RateLimiter;
  prove: (actor: Actor, password: string) => Promise<unknown>;
  sendEmail: SendEmail;
}) {
  async function touch({ app_id, last_used_at, last_ip }: Found, ip: string): Promise<void> {
    const now = clock();
    const recent = last_used_at !== null && Math.abs(now.getTime() - Date.parse(last_used_at)) < TOUCH;
    if (recent && last_ip === ip) return;
    const used = { last_used_at: now.toISOString(), last_ip: ip };
    await deferred
      .write(() => db('app_passwords').where({ id: app_id }).update(used))
      .catch((error: unknown) => log.warn({ err: error }, 'could not note that an app password was used'));
  }

  return {
    /** The person's own, the newest first, without the names of folders; `here` is the reader's address. */
    async list(actor: Actor, here: string): Promise<AppPasswordView[]> {
      const rows: Row[] = await db('app_passwords')
        .where({ user_id: actor.userId })
        .orderBy('id', 'desc')
        .select('id', 'name', 'read_only', 'folder_id', 'created_at', 'last_used_at', 'last_ip');
      return rows.map((row) => viewOf(row, here));
    },

    /**
     * Makes one. @returns it with its view; it is never shown again.
     * @throws {AppError} 403; 422 on `name`, and on `current_password` unless it is the actor's; 429.
     */
    async create(
      actor: Actor,
      { current_password, name, read_only, folder_id }: NewAppPassword,
    ): Promise<{ made: AppPasswordView; password: string }> {
      if (actor.app || !may(actor, 'documents.read')) throw forbidden();
      await prove(actor, current_password);
      const password = newPassword();
      const created_at = clock().toISOString();
      const made = await db.transaction(async (trx) => {
        const own = { user_id: actor.userId };
        const there = await trx('app_passwords').where(own).count({ n: '*' }).first();
        if (Number(there?.n) >= APP_PASSWORDS_MOST)
          throw invalid({
            name: [`You have ${APP_PASSWORDS_MOST} app passwords. End one that is no longer used first.`],
          });
        const [row] = await trx('app_passwords')
          .insert({ ...own, name, read_only, folder_id, token_hash: hashOf(password), created_at })
          .returning('id');
        const detail = { name, read_only, ...(folder_id !== null && { folder: folder_id }) };
        await audit.record(trx, { actor, did: 'auth.app_password', detail });
        await sendEmail(trx, actor.userId, appPasswordMade(name));
        return { id: row.id, name, read_only, folder_id, created_at };
      });
      return { password, made: { ...made, folder_name: null, last_used_at: null, last_place: null } };
    },

    /** @throws {AppError} 404 for one that is not the actor's. */
    async end(actor: Actor, id: number): Promise<void> {
      await db.transaction(async (trx) => {
        const own = { id, user_id: actor.userId };
        const row: { name: string } | undefined = await trx('app_passwords').where(own).first('name');
        if (!row) throw notFound('app password');
        await trx('app_passwords').where(own).delete();
        await audit.record(trx, { actor, did: 'auth.app_password_ended', detail: { name: row.name } });
      });
    },

    /** Ends all of a person's. @returns how many. */
    endAll: (trx: Knex.Transaction, userId: number): Promise<number> =>
      trx('app_passwords').where({ user_id: userId }).delete(),

    /**
     * Who stands behind a name and an app password, with what that may do; null when it is not right.
     * @throws {AppError} 429 when this place has tried too many; 403 outside the person's hours and networks.
     */
    async identify(email: string, password: string, { ip }: Origin): Promise<Actor | null> {
      const bound = [...nows(clock()), hashOf(password)];
      const row = await queryRow<Found>(db, FIND, bound);
      if (!row || row.email.toLowerCase() !== email.trim().toLowerCase()) {
        // A right one passes whatever its neighbours do: none of 125 bits is found by guessing.
        await limits.check(appPasswordTry(ip));
        return null;
      }
      const owner = actorFrom({ ...row, last_used_at: '' }, clock());
      const scope = currentScope();
      if (scope) scope.userId = owner.userId;
      const refusal = refusalOf(row, clock(), ip);
      if (refusal) throw refusal;
      await touch(row, ip);
      const allowed = row.read_only ? LOOKS : WORKS;
      return {
        ...owner,
        permissions: owner.permissions.filter((one) => allowed.includes(one)),
        app: { id: row.app_id, name: row.app_name, folder: row.folder_id },
      };
    },
  };
}
export type AppPasswords = ReturnType<typeof createAppPasswords>;
