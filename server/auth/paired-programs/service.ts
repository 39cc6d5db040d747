import { createHash, randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor, Permission } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import { queryRow } from '#server/db/sql.ts';
import { CODE_LENGTH, CODE_SECONDS, CODE_SIGNS, DEVICES_MOST, PLATFORMS, TOKEN_PREFIX } from './contract.ts';
import type { Origin } from '#server/http/context.ts';
import { Barred } from '#server/http/context.ts';
import { AppError, forbidden, invalid, notFound } from '#server/http/errors.ts';
import { placeName } from '#server/http/place-name.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import { currentScope } from '#server/http/scope.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import { refusalOf } from '../admission.ts';
import type { SendEmail } from '../emails.ts';
import { programConnected } from '../emails.ts';
import type { SessionRow } from '../model.ts';
import { actorFrom } from '../model.ts';
import { pairingTry, tokenTry } from '../rate-limits.ts';
import { SEATED, TWO_STEP_FROM, nows } from '../seats.ts';
import type { AuthorizeDevice, ClaimToken, NewProgram, ProgramView } from './contract.ts';

/** `last_used_at` is no more exact than this, in ms, so that each piece of an upload does not write twice. */
const TOUCH = 60_000;

/** What uploading needs: the folders to choose from, and putting something in. */
const ALLOWED: readonly Permission[] = ['documents.read', 'documents.write', 'documents.unassigned'];

const select = (column: 'token_hash' | 'id') => `
  SELECT 0 AS id, p.id AS program_id, p.name AS program_name, p.platform, p.version, p.last_used_at, p.last_ip,
    p.created_at, p.user_id, u.firm_id, u.role, u.permissions, u.permissions_taken, u.client_scope, u.work_hours,
    u.networks, u.daily_downloads, u.last_seen_at, ${SEATED} AS seated, ${TWO_STEP_FROM} AS two_step_from
  FROM paired_programs p JOIN users u ON u.id = p.user_id
  WHERE p.${column} = ? AND u.deactivated_at IS NULL`;
const FIND = { token: select('token_hash'), id: select('id') };

type Found = SessionRow & {
  program_id: number;
  program_name: string;
  platform: string;
  version: string;
  last_ip: string;
};

const ENDED =
  'This program is not connected any more: it was disconnected, or the password was changed. Connect it again.';
const ended = () => new AppError(401, 'device_ended', ENDED);
const BAD_CODE = 'This code is wrong, was used already or is older than two minutes. Ask for a new one.';

const shortCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_SIGNS[randomInt(CODE_SIGNS.length)]).join('');
/** As people type a short code; one that a page hands over is compared as it is. */
const hashOf = (code: string): string => {
  const typed = code.toUpperCase().replace(/[-\s]/g, '');
  return fingerprint(typed.length === CODE_LENGTH ? typed : code);
};
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** What a program says of itself with each request. */
const SAYS = /^AlmirahUploader\/(\d{1,5}\.\d{1,5}\.\d{1,5}) \(([\w-]{1,20})\)/;

/**
 * Programs that upload for a person: connected by a code which the signed-in browser asked for, known by tokens of
 * their own, which may do less than their owner and do not run out by themselves.
 */
export function createPairedPrograms({
  db,
  clock,
  log,
  audit,
  deferred,
  limits,
  sendEmail,
}: {
  db: Knex;
  clock: Clock;
  log: Logger;
  audit: Audit;
  deferred: Pick<DeferredWrites, 'write'>;
  limits: RateLimiter;
  sendEmail: SendEmail;
}) {
  const since = () => new Date(clock().getTime() - CODE_SECONDS * 1000).toISOString();

  async function touch(found: Found, ip: string, says: string): Promise<void> {
    const now = clock();
    const [, version = found.version, platform = found.platform] = SAYS.exec(says) ?? [];
    const known = PLATFORMS.find((one) => one === platform) ?? found.platform;
    const recent = Math.abs(now.getTime() - Date.parse(found.last_used_at)) < TOUCH;
    if (recent && found.last_ip === ip && found.version === version && found.platform === known) return;
    const used = { last_used_at: now.toISOString(), last_ip: ip, version, platform: known };
    await deferred
      .write(() => db('paired_programs').where({ id: found.program_id }).update(used))
      .catch((error: unknown) => log.warn({ err: error }, 'could not note that a program was used'));
  }

  function actorOf(found: Found): Actor {
    const owner = actorFrom(found, clock());
    return {
      ...owner,
      permissions: owner.permissions.filter((one) => ALLOWED.includes(one)),
      program: { id: found.program_id, name: found.program_name },
    };
  }

  /** Ends one of a person's, if it is there. */
  async function finish(trx: Knex.Transaction, actor: Actor, id: number): Promise<boolean> {
    const own = { id, user_id: actor.userId };
    const row: { name: string } | undefined = await trx('paired_programs').where(own).first('name');
    if (!row) return false;
    await trx('paired_programs').where(own).delete();
    await audit.record(trx, { actor, did: 'auth.program_ended', detail: { name: row.name } });
    return true;
  }

  return {
    /** The person's own, the last used first; `here` is the reader's address. */
    async list(actor: Actor, here: string): Promise<ProgramView[]> {
      const rows = await db('paired_programs')
        .where({ user_id: actor.userId })
        .orderBy('last_used_at', 'desc')
        .select('id', 'name', 'platform', 'version', 'created_at', 'last_used_at', 'last_ip');
      return rows.map(({ created_at, last_ip, ...row }) => ({
        ...row,
        connected_at: created_at,
        place: placeName(last_ip, here),
      }));
    },

    /** Makes the code by which one program may connect. @throws {AppError} 403. */
    async authorize(actor: Actor, { challenge }: AuthorizeDevice): Promise<string> {
      if (actor.app || actor.program || !may(actor, 'documents.write')) throw forbidden();
      const code = challenge === null ? shortCode() : newSecret();
      await db.transaction(async (trx) => {
        await trx('pairing_codes').where('created_at', '<=', since()).delete();
        const own = { user_id: actor.userId };
        // Of the codes for typing only the one on the screen stands, so that nothing is gained by asking for many.
        if (challenge === null)
          await trx('pairing_codes')
            .where({ ...own, challenge })
            .delete();
        const made = { code_hash: hashOf(code), challenge, created_at: clock().toISOString() };
        await trx('pairing_codes').insert({ ...own, ...made });
      });
      return code;
    },

    /** Takes a code for a token. @throws {AppError} 422 on `code`; 403 when the person may not upload; 429. */
    async claim(
      { code, verifier, name, platform, version }: ClaimToken,
      { ip }: Origin,
    ): Promise<NewProgram> {
      // Counted before it is looked up: unlike a token, a code is short enough to be guessed.
      const tried = pairingTry(ip);
      await limits.check(tried);
      const wrong = () => invalid({ code: [BAD_CODE] });
      const token = `${TOKEN_PREFIX}${newSecret()}`;
      // A code is used up by one try, also where the rest is wrong.
      const code_hash = hashOf(code);
      const row = await db.transaction(async (trx) => {
        const standing: { user_id: number; challenge: string | null } | undefined = await trx('pairing_codes')
          .where({ code_hash })
          .where('created_at', '>', since())
          .first('user_id', 'challenge');
        return standing && (await trx('pairing_codes').where({ code_hash }).delete()) > 0 ? standing : null;
      });
      if (!row || (row.challenge ?? null) !== (verifier === undefined ? null : challengeOf(verifier)))
        throw wrong();
      return db.transaction(async (trx) => {
        const own = { user_id: row.user_id };
        const there = await trx('paired_programs').where(own).count({ n: '*' }).first();
        if (Number(there?.n) >= DEVICES_MOST) {
          const most = `There are ${DEVICES_MOST} connected programs. Disconnect one under Settings first.`;
          throw invalid({ code: [most] });
        }
        const now = clock().toISOString();
        const about = { name, platform, version, created_at: now, last_used_at: now, last_ip: ip };
        const [made] = await trx('paired_programs')
          .insert({ ...own, ...about, token_hash: fingerprint(token) })
          .returning('id');
        const found = await queryRow<Found>(trx, FIND.id, [...nows(clock()), made.id]);
        if (!found) throw wrong();
        const actor = actorOf(found);
        if (!may(actor, 'documents.write')) throw forbidden();
        await audit.record(trx, {
          actor,
          did: 'auth.program_connected',
          detail: { name, platform, version },
        });
        await sendEmail(trx, row.user_id, programConnected(name));
        await limits.giveBack(trx, tried);
        return { token, id: made.id, name, userId: row.user_id };
      });
    },

    /**
     * Who stands behind a token, with what that may do.
     * @throws {AppError} 401 `device_ended`; 429 when this place has shown too many that name nobody.
     * @throws {Barred} outside the person's hours and networks.
     */
    async identify(token: string, { ip, userAgent }: Origin): Promise<Actor> {
      const found = await queryRow<Found>(db, FIND.token, [...nows(clock()), fingerprint(token)]);
      if (!found) {
        await limits.check(tokenTry(ip));
        throw ended();
      }
      const actor = actorOf(found);
      const scope = currentScope();
      if (scope) scope.userId = actor.userId;
      const refusal = refusalOf(found, clock(), ip);
      if (refusal) throw new Barred(refusal, actor);
      await touch(found, ip, userAgent);
      return actor;
    },

    /** The program again as it may act now; null once it has ended. @throws {Barred}. */
    async again(id: number): Promise<Actor | null> {
      const found = await queryRow<Found>(db, FIND.id, [...nows(clock()), id]);
      if (!found) return null;
      const actor = actorOf(found);
      const refusal = refusalOf(found, clock(), currentScope()?.ip);
      if (refusal) throw new Barred(refusal, actor);
      return actor;
    },

    /** @throws {AppError} 404 for one that is not the actor's. */
    async end(actor: Actor, id: number): Promise<void> {
      if (actor.program && actor.program.id !== id) throw notFound('program');
      if (!(await db.transaction((trx) => finish(trx, actor, id)))) throw notFound('program');
    },

    /** Deletes codes that have run out. */
    sweep: (): Promise<number> => db('pairing_codes').where('created_at', '<=', since()).delete(),
  };
}
