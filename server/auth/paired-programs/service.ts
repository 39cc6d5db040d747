import { createHash, randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { Permission } from '#server/permissions.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import { queryRow } from '#server/db/sql.ts';
import {
  CODE_LENGTH,
  CODE_SECONDS,
  CODE_ALPHABET,
  MAX_PROGRAMS,
  PLATFORMS,
  TOKEN_PREFIX,
} from './contract.ts';
import type { Origin } from '#server/http/context.ts';
import { Barred } from '#server/http/context.ts';
import { AppError, forbidden, invalid, notFound } from '#server/http/errors.ts';
import { networkName } from '#server/http/network-name.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import { requireProof } from '#server/http/recent-proof.ts';
import { currentRequest } from '#server/http/request-context.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import { refusalOf } from '../admission.ts';
import type { SendEmail } from '../emails.ts';
import { programConnected } from '../emails.ts';
import type { SessionRow } from '../model.ts';
import { requireLiveSession } from '../live-session.ts';
import { actorFrom } from '../model.ts';
import { pairingTry, tokenTry } from '../rate-limits.ts';
import { SEATED, TWO_STEP_FROM, seatBindings } from '../sign-in-restrictions.ts';
import type { AuthorizeDevice, ClaimToken, NewProgram, ProgramView } from './contract.ts';

/** `last_used_at` is written at most this often, so that each part of an upload does not cost a second write. */
const TOUCH_INTERVAL_MS = 60_000;

/** The permissions that uploading needs: to choose a folder, and to add files. */
const UPLOAD_PERMISSIONS: readonly Permission[] = [
  'documents.read',
  'documents.write',
  'documents.unassigned',
];

const select = (column: 'token_hash' | 'id') => `
  SELECT 0 AS id, p.id AS program_id, p.name AS program_name, p.platform, p.version, p.last_used_at, p.last_ip,
    p.created_at, p.user_id, u.firm_id, u.role, u.permissions, u.permissions_taken, u.client_scope, u.work_hours,
    u.networks, u.daily_downloads, u.last_seen_at, ${SEATED} AS seated, ${TWO_STEP_FROM} AS two_step_from
  FROM paired_programs p JOIN users u ON u.id = p.user_id
  WHERE p.${column} = ? AND u.deactivated_at IS NULL`;
const FIND_BY = { token: select('token_hash'), id: select('id') };

type ProgramRow = SessionRow & {
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
  Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
/** Ignores case, blanks and dashes of a typed code; a code of a page is compared exactly. */
const hashOf = (code: string): string => {
  const typed = code.toUpperCase().replace(/[-\s]/g, '');
  return fingerprint(typed.length === CODE_LENGTH ? typed : code);
};
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** The User-Agent header of the program. */
const USER_AGENT = /^AlmirahUploader\/(\d{1,5}\.\d{1,5}\.\d{1,5}) \(([\w-]{1,20})\)/;

/**
 * Programs that upload on behalf of a user. A code that the signed-in browser requested connects them; a token of
 * their own identifies them. The token has fewer permissions than its owner and does not expire.
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
  const oldestValidCode = () => new Date(clock().getTime() - CODE_SECONDS * 1000).toISOString();

  async function touch(found: ProgramRow, ip: string, userAgent: string): Promise<void> {
    const now = clock();
    const [, version = found.version, platform = found.platform] = USER_AGENT.exec(userAgent) ?? [];
    const knownPlatform = PLATFORMS.find((name) => name === platform) ?? found.platform;
    const recent = Math.abs(now.getTime() - Date.parse(found.last_used_at)) < TOUCH_INTERVAL_MS;
    if (recent && found.last_ip === ip && found.version === version && found.platform === knownPlatform)
      return;
    const usage = { last_used_at: now.toISOString(), last_ip: ip, version, platform: knownPlatform };
    await deferred
      .write(() => db('paired_programs').where({ id: found.program_id }).update(usage))
      .catch((error: unknown) => log.warn({ err: error }, 'could not note that a program was used'));
  }

  function actorOf(found: ProgramRow): Actor {
    const owner = actorFrom(found, clock());
    return {
      ...owner,
      permissions: owner.permissions.filter((permission) => UPLOAD_PERMISSIONS.includes(permission)),
      program: { id: found.program_id, name: found.program_name },
    };
  }

  /** Disconnects a program of the actor. @returns false when there is none. */
  async function disconnect(trx: Knex.Transaction, actor: Actor, id: number): Promise<boolean> {
    const ownRow = { id, user_id: actor.userId };
    const row: { name: string } | undefined = await trx('paired_programs').where(ownRow).first('name');
    if (!row) return false;
    await trx('paired_programs').where(ownRow).delete();
    await audit.record(trx, { actor, did: 'auth.program_ended', detail: { name: row.name } });
    return true;
  }

  return {
    /** The actor's own programs, by last use; `here` is the IP address of the reader. */
    async list(actor: Actor, here: string): Promise<ProgramView[]> {
      const rows = await db('paired_programs')
        .where({ user_id: actor.userId })
        .orderBy('last_used_at', 'desc')
        .select('id', 'name', 'platform', 'version', 'created_at', 'last_used_at', 'last_ip');
      return rows.map(({ created_at, last_ip, ...row }) => ({
        ...row,
        connected_at: created_at,
        place: networkName(last_ip, here),
      }));
    },

    /**
     * Creates a code that connects one program. A program stays connected after the session, so a stolen session alone
     * must not connect one.
     * @throws {AppError} 401 once the session has ended; 403, also `proof_needed`.
     */
    async authorize(actor: Actor, { challenge }: AuthorizeDevice): Promise<string> {
      if (actor.app || actor.program || !may(actor, 'documents.write')) throw forbidden();
      requireProof(actor);
      const code = challenge === null ? shortCode() : newSecret();
      await db.transaction(async (trx) => {
        await requireLiveSession(trx, actor);
        await trx('pairing_codes').where('created_at', '<=', oldestValidCode()).delete();
        const ofUser = { user_id: actor.userId };
        // A user has one typed code at a time, so that requesting many does not help a guesser.
        if (challenge === null)
          await trx('pairing_codes')
            .where({ ...ofUser, challenge })
            .delete();
        const created = { code_hash: hashOf(code), challenge, created_at: clock().toISOString() };
        await trx('pairing_codes').insert({ ...ofUser, ...created });
      });
      return code;
    },

    /** Exchanges a code for a token. @throws {AppError} 422 on `code`; 403 when the user may not upload; 429. */
    async claim(
      { code, verifier, name, platform, version }: ClaimToken,
      { ip }: Origin,
    ): Promise<NewProgram> {
      // Every try counts before the lookup: unlike a token, a code is short enough to guess. A success is given back.
      const tried = pairingTry(ip);
      await limits.check(tried);
      const wrong = () => invalid({ code: [BAD_CODE] });
      const token = `${TOKEN_PREFIX}${newSecret()}`;
      // One try uses up the code, even when the verifier is wrong.
      const code_hash = hashOf(code);
      // In one transaction, since a new password ends codes and programs: it finds the code or the program. A refusal is returned and
      // not thrown, so that the code stays used up.
      const claimed = await db.transaction(async (trx) => {
        const row: { user_id: number; challenge: string | null } | undefined = await trx('pairing_codes')
          .where({ code_hash })
          .where('created_at', '>', oldestValidCode())
          .first('user_id', 'challenge');
        const used = row && (await trx('pairing_codes').where({ code_hash }).delete()) > 0;
        if (!used || (row.challenge ?? null) !== (verifier === undefined ? null : challengeOf(verifier)))
          return wrong();
        const ofUser = { user_id: row.user_id };
        const existing = await trx('paired_programs').where(ofUser).count({ n: '*' }).first();
        if (Number(existing?.n) >= MAX_PROGRAMS) {
          const most = `There are ${MAX_PROGRAMS} connected programs. Disconnect one under Settings first.`;
          return invalid({ code: [most] });
        }
        const now = clock().toISOString();
        const about = { name, platform, version, created_at: now, last_used_at: now, last_ip: ip };
        const [created] = await trx('paired_programs')
          .insert({ ...ofUser, ...about, token_hash: fingerprint(token) })
          .returning('id');
        const found = await queryRow<ProgramRow>(trx, FIND_BY.id, [...seatBindings(clock()), created.id]);
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
        return { token, id: created.id, name, userId: row.user_id };
      });
      if (claimed instanceof AppError) throw claimed;
      return claimed;
    },

    /**
     * The actor of a token, with the permissions of the program.
     * @throws {AppError} 401 `device_ended`; 429 after too many unknown tokens from this network.
     * @throws {Barred} outside the user's hours and networks.
     */
    async identify(token: string, { ip, userAgent }: Origin): Promise<Actor> {
      const found = await queryRow<ProgramRow>(db, FIND_BY.token, [
        ...seatBindings(clock()),
        fingerprint(token),
      ]);
      if (!found) {
        await limits.check(tokenTry(ip));
        throw ended();
      }
      const actor = actorOf(found);
      const request = currentRequest();
      if (request) request.userId = actor.userId;
      const refusal = refusalOf(found, clock(), ip);
      if (refusal) throw new Barred(refusal, actor);
      await touch(found, ip, userAgent);
      return actor;
    },

    /** The actor with its current permissions; null after the program was disconnected. @throws {Barred}. */
    async again(id: number): Promise<Actor | null> {
      const found = await queryRow<ProgramRow>(db, FIND_BY.id, [...seatBindings(clock()), id]);
      if (!found) return null;
      const actor = actorOf(found);
      const refusal = refusalOf(found, clock(), currentRequest()?.ip);
      if (refusal) throw new Barred(refusal, actor);
      return actor;
    },

    /** @throws {AppError} 404 unless the actor owns it. */
    async end(actor: Actor, id: number): Promise<void> {
      if (actor.program && actor.program.id !== id) throw notFound('program');
      if (!(await db.transaction((trx) => disconnect(trx, actor, id)))) throw notFound('program');
    },

    /** Deletes expired codes. */
    sweep: (): Promise<number> => db('pairing_codes').where('created_at', '<=', oldestValidCode()).delete(),
  };
}
