import type { KeyObject } from 'node:crypto';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { EACH, eachParts, execute, fromHex, list, numberOf, queryRows, textOf } from '#server/db/sql.ts';
import type { Sealer } from '#server/datadir/sealing.ts';

/** What a row says; the chain is made over exactly this. */
export interface Written {
  firm_id: number | null;
  user_id: number | null;
  did: string;
  subject: string | null;
  /** JSON. */
  detail: string;
  ip: string | null;
  request_id: string | null;
  at: string;
}
export const WRITTEN = ['firm_id', 'user_id', 'did', 'subject', 'detail', 'ip', 'request_id', 'at'] as const;

/** Where the chain ends: how many entries it has, the last one's id and link. */
export interface Head {
  count: number;
  last_id: number;
  link: Buffer | null;
}
export interface HeadRow extends Head {
  mac: Buffer | null;
  sealed_key: Buffer | null;
}

const KEY_BYTES = 32;
/** Rows that are chained by one statement. */
const BATCH = 2000;

function hmac(
  key: KeyObject,
  what: 'content' | 'link' | 'head' | 'anchor',
  ...parts: (Buffer | string)[]
): Buffer {
  const mac = createHmac('sha256', key).update(`history 1 ${what}\n`);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

export const contentOf = (key: KeyObject, row: Written): Buffer =>
  hmac(key, 'content', JSON.stringify(WRITTEN.map((column) => row[column])));
/** Over the content's hash and not the content: a row that a rule takes out leaves its two hashes, and the chain holds. */
export const linkOf = (key: KeyObject, before: Buffer | null, content: Buffer): Buffer =>
  hmac(key, 'link', before ?? '', content);
/** Of a head that is noted elsewhere, at a time. */
export const noteOf = (key: KeyObject, { count, last_id, link }: Head, at: string): Buffer =>
  hmac(key, 'anchor', `${count} ${last_id} ${at}\n`, link ?? '');
export const macOf = (key: KeyObject, { count, last_id, link }: Head): Buffer =>
  hmac(key, 'head', `${count} ${last_id}\n`, link ?? '');

/**
 * Chains the rows of the history: each carries the keyed hash of itself and of the row before. Whoever has the database
 * without the master key can change, take out or cut off nothing without that being found. The key is random and lies
 * sealed in the database, so that a new master key leaves the chain as it is.
 */
export function createChain(
  seal: Sealer,
  /** Hears of the rows of older versions, batch by batch. */
  onChained: (trx: Knex.Transaction, rows: OlderRow[]) => Promise<void>,
) {
  const spare = randomBytes(KEY_BYTES);
  let known: { sealed: Buffer; key: KeyObject } | undefined;

  /** Only what is committed tells which key it is: a transaction may be undone. */
  function keyIn(sealed: Buffer): KeyObject {
    if (!known?.sealed.equals(sealed)) known = { sealed, key: createSecretKey(seal.open(sealed)) };
    return known.key;
  }

  /** Moves the head on. Writes first: then no other process can come between reading the head and writing the row. */
  async function next(
    trx: Knex.Transaction,
  ): Promise<{ key: KeyObject; count: number; before: Buffer | null }> {
    const sealed = known?.sealed ?? seal.seal(spare);
    const [head] = (await queryRows(
      trx,
      `UPDATE audit_head SET count = count + 1, sealed_key = coalesce(sealed_key, ?) WHERE id = 1
       RETURNING count, link, sealed_key`,
      [sealed],
    )) as [{ count: number; link: Buffer | null; sealed_key: Buffer }];
    return { key: keyIn(head.sealed_key), count: head.count, before: head.link };
  }

  const moveHead = (trx: Knex.Transaction, key: KeyObject, head: Head) =>
    trx('audit_head')
      .where({ id: 1 })
      .update({ ...head, mac: macOf(key, head) });

  /** Chains what versions without the chain have written. @returns where it ends then. */
  async function chainRows(trx: Knex.Transaction, key: KeyObject): Promise<Head> {
    const head: Head = { count: 0, last_id: 0, link: null };
    for (;;) {
      const rows: OlderRow[] = await trx('audit_events')
        .where('id', '>', head.last_id)
        .orderBy('id')
        .limit(BATCH)
        .select('id', ...WRITTEN);
      if (rows.length === 0) return head;
      const chained = rows.map((row) => {
        const content = contentOf(key, row);
        head.count += 1;
        head.last_id = row.id;
        head.link = linkOf(key, head.link, content);
        return [row.id, content.toString('hex'), head.link.toString('hex')];
      });
      const bytesOf = (at: number) => fromHex(textOf('one.value', at));
      await execute(
        trx,
        `UPDATE audit_events SET content = ${bytesOf(1)}, link = ${bytesOf(2)}
         FROM ${eachParts('one')} WHERE audit_events.id = ${numberOf('one.value', 0)}`,
        [list(chained)],
      );
      await onChained(trx, rows);
    }
  }

  return {
    /** Begins the chain with what is there already, all in this transaction. @returns how many rows. */
    async begin(trx: Knex.Transaction): Promise<number> {
      const { count }: Head = await trx('audit_head').where({ id: 1 }).first('count');
      if (count > 0 || !(await trx('audit_events').first('id'))) return 0;
      const { key } = await next(trx);
      const head = await chainRows(trx, key);
      await moveHead(trx, key, head);
      return head.count;
    },

    /** Adds a row at the end. @returns its id. */
    async append(trx: Knex.Transaction, row: Written): Promise<number> {
      let { key, count, before } = await next(trx);
      if (count === 1) {
        // A command may write before the server has begun the chain.
        const older = await chainRows(trx, key);
        count = older.count + 1;
        before = older.link;
      }
      const content = contentOf(key, row);
      const link = linkOf(key, before, content);
      const [{ id }] = (await trx('audit_events')
        .insert({ ...row, content, link })
        .returning('id')) as [{ id: number }];
      await moveHead(trx, key, { count, last_id: id, link });
      return id;
    },

    /**
     * Takes rows out for good, such as those that are kept no longer: their hashes stay in their places. The caller adds
     * a row that names their ids, or the proof will not hold.
     */
    async takeOut(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
      const named = [list(ids)];
      const those = `id IN (${EACH})`;
      await execute(
        trx,
        `INSERT INTO audit_removed (id, content, link) SELECT id, content, link FROM audit_events WHERE ${those}`,
        named,
      );
      await execute(trx, `DELETE FROM audit_links WHERE event_id IN (${EACH})`, named);
      await execute(trx, `DELETE FROM audit_events WHERE ${those}`, named);
    },

    /** Where it ends now; null before the first row. @throws when its key cannot be opened. */
    async head(db: Knex): Promise<{ key: KeyObject; row: HeadRow } | null> {
      const row: HeadRow = await db('audit_head').where({ id: 1 }).first();
      return row.sealed_key ? { key: keyIn(row.sealed_key), row } : null;
    },
  };
}
export type Chain = ReturnType<typeof createChain>;
export interface OlderRow extends Written {
  id: number;
}
