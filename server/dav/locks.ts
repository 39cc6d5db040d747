import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { conflict } from '#server/http/errors.ts';
import type { Documents } from '#server/documents/service.ts';
import { seesAll } from '#server/visibility/visible.ts';
import { DavError } from './errors.ts';
import { hrefOf } from './paths.ts';
import type { Entry } from './tree.ts';

/** Lock timeouts in seconds: the maximum, and the default; a lock that a program forgets ends by then. */
export const LOCK_SECONDS = { max: 3600, default: 600 };

interface Row {
  token: string;
  firm_id: number;
  item_id: number;
  user_id: number;
  app_password_id: number;
  shared: number | boolean;
  deep: number | boolean;
  owner: string;
  seconds: number;
  expires_at: string;
}

/** A lock in force, with the path of ids and names to the locked item, which comes last. */
export interface Lock extends Row {
  path: readonly { id: number; name: string }[];
}

/** What a change affects. */
interface Affected {
  /** Changed items; with `below` also their contents. */
  items?: readonly number[];
  below?: boolean;
  /** Folders in which an item is added, removed or renamed. */
  folders?: readonly (number | null)[];
}

const isOn = (lock: Lock, id: number): boolean => lock.item_id === id;
const isAbove = (lock: Lock, path: ReadonlySet<number>): boolean =>
  Boolean(lock.deep) && path.has(lock.item_id);

/** WebDAV locks, stored in the database, so that a restart does not release a document that somebody is editing. */
export function createLocks({
  db,
  clock,
  documents,
}: {
  db: Knex;
  clock: Clock;
  documents: Pick<Documents, 'wayTo' | 'sees'>;
}) {
  async function rowsOf(firmId: number): Promise<Row[]> {
    const now = clock();
    const latest = new Date(now.getTime() + LOCK_SECONDS.max * 1000).toISOString();
    const rows: Row[] = await db('dav_locks')
      .where({ firm_id: firmId })
      .where('expires_at', '>', now.toISOString())
      .select();
    const isEarlier = ({ expires_at }: Row) => expires_at > latest;
    if (!rows.some(isEarlier)) return rows;
    // Created before the clock was set back. Whoever edits keeps the lock, but a forgotten one ends.
    await db('dav_locks').where('expires_at', '>', latest).update({ expires_at: latest });
    return rows.map((row) => (isEarlier(row) ? { ...row, expires_at: latest } : row));
  }

  async function withWays(firmId: number, rows: readonly Row[]): Promise<Lock[]> {
    if (rows.length === 0) return [];
    const ways = await documents.wayTo(
      firmId,
      rows.map(({ item_id }) => item_id),
    );
    // An item in Trash has no path; its lock has no effect.
    return rows.flatMap((row) => (ways.has(row.item_id) ? [{ ...row, path: ways.get(row.item_id)! }] : []));
  }

  const live = async (firmId: number): Promise<Lock[]> => withWays(firmId, await rowsOf(firmId));

  /** @returns false, without inserting, when a lock exists that is not in `known`: another request was faster. */
  async function insert(trx: Knex.Transaction, row: Row, known: readonly Row[]): Promise<boolean> {
    const now = clock().toISOString();
    const other: unknown = await trx('dav_locks')
      .where({ firm_id: row.firm_id })
      .where('expires_at', '>', now)
      .whereNotIn(
        'token',
        known.map(({ token }) => token),
      )
      .first('token');
    if (other) return false;
    await trx('dav_locks').where('expires_at', '<=', now).delete();
    await trx('dav_locks').insert(row);
    return true;
  }

  const wayOf = async (firmId: number, id: number | null): Promise<Set<number>> =>
    new Set(
      id === null ? [] : ((await documents.wayTo(firmId, [id])).get(id) ?? []).map((crumb) => crumb.id),
    );

  /** The locks that apply to an item, directly or through a folder above. */
  async function locksOn(locks: readonly Lock[], firmId: number, id: number | null): Promise<Lock[]> {
    if (locks.length === 0 || id === null) return [];
    const path = await wayOf(firmId, id);
    return locks.filter((lock) => isOn(lock, id) || isAbove(lock, path));
  }

  /** Names the locked item only to a user who sees it in this drive. */
  async function lockedError(lock: Lock, actor: Actor): Promise<DavError> {
    const root = actor.app?.folder ?? null;
    const isInDrive = root === null || lock.path.some(({ id }) => id === root);
    const isKnown = isInDrive && (await documents.sees(actor, lock.item_id));
    const name = (isKnown && lock.path.at(-1)?.name) || 'Something that this needs';
    return new DavError(
      423,
      'locked',
      '<d:lock-token-submitted><d:href>/dav/</d:href></d:lock-token-submitted>',
      `${name} is open in ${lock.user_id === actor.userId ? 'another program of yours' : 'a colleague’s program'}. Close it there, or wait until the lock ends.`,
    );
  }

  return {
    live: (actor: Actor): Promise<Lock[]> => live(actor.firmId),
    locksOn,

    /**
     * Checks the locks that a change affects.
     * @throws {AppError} 423 unless their owner sent the tokens.
     */
    async requireTokens(actor: Actor, tokens: ReadonlySet<string>, touched: Affected): Promise<void> {
      const locks = await live(actor.firmId);
      if (locks.length === 0) return;
      const { items = [], below = false, folders = [] } = touched;
      const needed = new Set<Lock>();
      for (const id of items) for (const lock of await locksOn(locks, actor.firmId, id)) needed.add(lock);
      for (const id of folders)
        if (id !== null) for (const lock of await locksOn(locks, actor.firmId, id)) needed.add(lock);
      if (below)
        for (const lock of locks) if (lock.path.some(({ id }) => items.includes(id))) needed.add(lock);
      // Of several shared locks on one item, one token suffices.
      for (const [, same] of Map.groupBy(needed, ({ item_id }) => item_id))
        if (!same.some(({ token, user_id }) => tokens.has(token) && user_id === actor.userId))
          throw await lockedError(same[0]!, actor);
    },

    /** @throws {AppError} 423 when another lock conflicts. */
    async create(
      actor: Actor,
      {
        id,
        shared,
        deep,
        owner,
        seconds,
      }: { id: number; shared: boolean; deep: boolean; owner: string; seconds: number },
    ): Promise<Lock> {
      const now = clock();
      const row: Row = {
        token: `urn:uuid:${randomUUID()}`,
        firm_id: actor.firmId,
        item_id: id,
        user_id: actor.userId,
        app_password_id: actor.app!.id,
        shared,
        deep,
        owner,
        seconds,
        expires_at: new Date(now.getTime() + seconds * 1000).toISOString(),
      };
      let known: Row[];
      do {
        known = await rowsOf(actor.firmId);
        const locks = await withWays(actor.firmId, known);
        const conflicting = [
          ...(await locksOn(locks, actor.firmId, id)),
          ...(deep ? locks.filter(({ path }) => path.some((folder) => folder.id === id)) : []),
        ].find((lock) => !shared || !lock.shared);
        if (conflicting) throw await lockedError(conflicting, actor);
      } while (!(await db.transaction((trx) => insert(trx, row, known))));
      return { ...row, path: (await documents.wayTo(actor.firmId, [id])).get(id) ?? [] };
    },

    /** Extends a lock. @throws {AppError} 412 when it is not on this item or not the actor's. */
    async refresh(actor: Actor, id: number, tokens: ReadonlySet<string>, seconds: number): Promise<Lock> {
      const lock = (await locksOn(await live(actor.firmId), actor.firmId, id)).find(
        ({ token, user_id }) => tokens.has(token) && user_id === actor.userId,
      );
      if (!lock)
        throw new DavError(412, 'lock_token', '<d:lock-token-matches-request-uri/>', 'This lock is over.');
      const expires_at = new Date(clock().getTime() + seconds * 1000).toISOString();
      await db('dav_locks').where({ token: lock.token }).update({ expires_at, seconds });
      return { ...lock, expires_at, seconds };
    },

    /** @throws {AppError} 409 for a token without a lock here, 403 for a colleague's lock. */
    async release(actor: Actor, id: number, token: string): Promise<void> {
      const lock = (await locksOn(await live(actor.firmId), actor.firmId, id)).find(
        (lock) => lock.token === token,
      );
      if (!lock) throw conflict('This lock is over, or is not on this file.', 'lock_token');
      if (lock.user_id !== actor.userId)
        throw new DavError(403, 'lock_token', '', 'Only who has locked the file can unlock it.');
      await db('dav_locks').where({ token }).delete();
    },

    /** Removes the locks on an item that was moved away, and on its contents. */
    async forget(actor: Actor, locks: readonly Lock[], id: number): Promise<void> {
      const tokens = locks
        .filter(({ path }) => path.some((folder) => folder.id === id))
        .map(({ token }) => token);
      if (tokens.length > 0)
        await db('dav_locks').where({ firm_id: actor.firmId }).whereIn('token', tokens).delete();
    },

    /** The `activelock` elements; the path of the locked item is only given to users who may see all of it. */
    toXml(actor: Actor, locks: readonly Lock[], entry?: Pick<Entry, 'type'>): string {
      const root = actor.app?.folder ?? null;
      return locks
        .map((lock) => {
          const depth = root === null ? 0 : lock.path.findIndex(({ id }) => id === root) + 1;
          const names = lock.path.slice(depth).map(({ name }) => name);
          const href = hrefOf(names, Boolean(lock.deep) && entry?.type !== 'file');
          const known = seesAll(actor) && (root === null || depth > 0);
          return (
            `<d:activelock><d:locktype><d:write/></d:locktype><d:lockscope><d:${lock.shared ? 'shared' : 'exclusive'}/></d:lockscope>` +
            `<d:depth>${lock.deep ? 'infinity' : '0'}</d:depth>` +
            (lock.owner === '' ? '' : `<d:owner>${lock.owner}</d:owner>`) +
            `<d:timeout>Second-${Math.max(0, Math.round((Date.parse(lock.expires_at) - clock().getTime()) / 1000))}</d:timeout>` +
            `<d:locktoken><d:href>${lock.token}</d:href></d:locktoken>` +
            (known ? `<d:lockroot><d:href>${href}</d:href></d:lockroot>` : '') +
            '</d:activelock>'
          );
        })
        .join('');
    },

    /** The locks that apply to each child of a folder. */
    async forChildren(
      firmId: number,
      locks: readonly Lock[],
      folder: number | null,
    ): Promise<(id: number | null) => Lock[]> {
      if (locks.length === 0) return () => [];
      const path = await wayOf(firmId, folder);
      const above = locks.filter((lock) => isAbove(lock, path));
      return (id) => (id === null ? above : [...above, ...locks.filter((lock) => isOn(lock, id))]);
    },
  };
}
export type Locks = ReturnType<typeof createLocks>;
