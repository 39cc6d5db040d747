import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { Permission } from '#server/permissions.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import { queryRow } from '#server/db/sql.ts';
import type { Origin } from '#server/http/context.ts';
import { forbidden, invalid, notFound } from '#server/http/errors.ts';
import { networkName } from '#server/http/network-name.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import { currentRequest } from '#server/http/request-context.ts';
import { fingerprint } from '#server/http/secrets.ts';
import { refusalOf } from '../admission.ts';
import type { SendEmail } from '../emails.ts';
import { appPasswordCreated } from '../emails.ts';
import type { SessionRow } from '../model.ts';
import { actorFrom } from '../model.ts';
import { appPasswordTry } from '../rate-limits.ts';
import { SEATED, TWO_STEP_FROM, seatBindings } from '../sign-in-restrictions.ts';
import type { AppPasswordView, NewAppPassword } from './contract.ts';
import { requireLiveSession } from '../live-session.ts';
import { MAX_APP_PASSWORDS } from './contract.ts';

/** `last_used_at` is written at most this often, so that listing a folder does not write. */
const TOUCH_INTERVAL_MS = 60_000;

// 32 characters without those that look alike: people type the password into scanners.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 25;

/** 25 characters of 5 random bits each, in groups of five for typing. */
const newPassword = (): string =>
  Array.from(
    randomBytes(LENGTH),
    (byte, index) => (index > 0 && index % 5 === 0 ? '-' : '') + ALPHABET[byte % 32],
  ).join('');

/** A fast hash is enough: 125 random bits cannot be guessed. */
const hashPassword = (password: string): string => fingerprint(password.toLowerCase().replace(/[-\s]/g, ''));

const READ_PERMISSIONS: readonly Permission[] = [
  'documents.read',
  'documents.download',
  'documents.unassigned',
];
const WRITE_PERMISSIONS: readonly Permission[] = [...READ_PERMISSIONS, 'documents.write', 'documents.delete'];

const FIND_BY_HASH = `
  SELECT 0 AS id, s.id AS app_id, s.name AS app_name, s.read_only, s.folder_id, s.last_used_at, s.last_ip, u.email,
    s.user_id, u.firm_id, u.role, u.permissions, u.permissions_taken, u.client_scope, u.work_hours, u.networks,
    u.daily_downloads, ${SEATED} AS seated, ${TWO_STEP_FROM} AS two_step_from
  FROM app_passwords s JOIN users u ON u.id = s.user_id
  WHERE s.token_hash = ? AND u.deactivated_at IS NULL`;

type OwnedRow = Omit<SessionRow, 'last_used_at'> & {
  app_id: number;
  app_name: string;
  read_only: number;
  folder_id: number | null;
  last_used_at: string | null;
  last_ip: string | null;
  email: string;
};

interface ListRow {
  id: number;
  name: string;
  read_only: number;
  folder_id: number | null;
  created_at: string;
  last_used_at: string | null;
  last_ip: string | null;
}

const viewOf = ({ last_ip, read_only, ...row }: ListRow, here?: string): AppPasswordView => ({
  ...row,
  read_only: Boolean(read_only),
  folder_name: null,
  last_place: last_ip === null ? null : networkName(last_ip, here),
});

/**
 * Passwords for programs that cannot ask for a second step. Each has fewer permissions than its owner. A change of
 * the account password ends all of them.
 */
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
  async function touch({ app_id, last_used_at, last_ip }: OwnedRow, ip: string): Promise<void> {
    const now = clock();
    const recent =
      last_used_at !== null && Math.abs(now.getTime() - Date.parse(last_used_at)) < TOUCH_INTERVAL_MS;
    if (recent && last_ip === ip) return;
    const usage = { last_used_at: now.toISOString(), last_ip: ip };
    await deferred
      .write(() => db('app_passwords').where({ id: app_id }).update(usage))
      .catch((error: unknown) => log.warn({ err: error }, 'could not note that an app password was used'));
  }

  return {
    /**
     * The actor's own app passwords, newest first, without the names of folders; `here` is the IP address of the
     * reader.
     */
    async list(actor: Actor, here: string): Promise<AppPasswordView[]> {
      const rows: ListRow[] = await db('app_passwords')
        .where({ user_id: actor.userId })
        .orderBy('id', 'desc')
        .select('id', 'name', 'read_only', 'folder_id', 'created_at', 'last_used_at', 'last_ip');
      return rows.map((row) => viewOf(row, here));
    },

    /**
     * @returns the password, which is never shown again, and its view.
     * @throws {AppError} 401 once the session has ended; 403; 422 on `name`, and on `current_password` unless it is the
     * actor's; 429.
     */
    async create(
      actor: Actor,
      { current_password, name, read_only, folder_id }: NewAppPassword,
    ): Promise<{ created: AppPasswordView; password: string }> {
      if (actor.app || !may(actor, 'documents.read')) throw forbidden();
      await prove(actor, current_password);
      const password = newPassword();
      const created_at = clock().toISOString();
      const created = await db.transaction(async (trx) => {
        const ofUser = { user_id: actor.userId };
        await requireLiveSession(trx, actor);
        const existing = await trx('app_passwords').where(ofUser).count({ n: '*' }).first();
        if (Number(existing?.n) >= MAX_APP_PASSWORDS)
          throw invalid({
            name: [`You have ${MAX_APP_PASSWORDS} app passwords. End one that is no longer used first.`],
          });
        const [row] = await trx('app_passwords')
          .insert({ ...ofUser, name, read_only, folder_id, token_hash: hashPassword(password), created_at })
          .returning('id');
        const detail = { name, read_only, ...(folder_id !== null && { folder: folder_id }) };
        await audit.record(trx, { actor, did: 'auth.app_password', detail });
        await sendEmail(trx, actor.userId, appPasswordCreated(name));
        return { id: row.id, name, read_only, folder_id, created_at };
      });
      return { password, created: { ...created, folder_name: null, last_used_at: null, last_place: null } };
    },

    /** @throws {AppError} 404 unless the actor owns it. */
    async end(actor: Actor, id: number): Promise<void> {
      await db.transaction(async (trx) => {
        const ownRow = { id, user_id: actor.userId };
        const row: { name: string } | undefined = await trx('app_passwords').where(ownRow).first('name');
        if (!row) throw notFound('app password');
        await trx('app_passwords').where(ownRow).delete();
        await audit.record(trx, { actor, did: 'auth.app_password_ended', detail: { name: row.name } });
      });
    },

    /** Deletes all app passwords of a user. @returns their number. */
    endAll: (trx: Knex.Transaction, userId: number): Promise<number> =>
      trx('app_passwords').where({ user_id: userId }).delete(),

    /**
     * The actor of an e-mail address and an app password, with the permissions of the app password; null when they do
     * not match.
     * @throws {AppError} 429 after too many failures from this network; 403 outside the user's hours and networks.
     */
    async identify(email: string, password: string, { ip }: Origin): Promise<Actor | null> {
      const bindings = [...seatBindings(clock()), hashPassword(password)];
      const row = await queryRow<OwnedRow>(db, FIND_BY_HASH, bindings);
      if (!row || row.email.toLowerCase() !== email.trim().toLowerCase()) {
        // Only failures count: a correct password passes although its network is at the limit, since 125 bits cannot
        // be guessed.
        await limits.check(appPasswordTry(ip));
        return null;
      }
      const owner = actorFrom({ ...row, last_used_at: '' }, clock());
      const request = currentRequest();
      if (request) request.userId = owner.userId;
      const refusal = refusalOf(row, clock(), ip);
      if (refusal) throw refusal;
      await touch(row, ip);
      const allowed = row.read_only ? READ_PERMISSIONS : WRITE_PERMISSIONS;
      return {
        ...owner,
        permissions: owner.permissions.filter((permission) => allowed.includes(permission)),
        app: { id: row.app_id, name: row.app_name, folder: row.folder_id },
      };
    },
  };
}
export type AppPasswords = ReturnType<typeof createAppPasswords>;
