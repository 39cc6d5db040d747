import type { KeyObject } from 'node:crypto';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import {
  BOUND_IDS,
  boundTupleRows,
  execute,
  fromHex,
  bindList,
  numberOf,
  queryRows,
  textOf,
  valueRows,
} from '#server/db/sql.ts';
import type { Sealer } from '#server/db/column-encryption.ts';

/** The content of an entry; the hashes of the chain cover exactly these columns. */
export interface EntryContent {
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
export const CONTENT_COLUMNS = [
  'firm_id',
  'user_id',
  'did',
  'subject',
  'detail',
  'ip',
  'request_id',
  'at',
] as const;

// SQL text, since every change writes an entry: the query builder would compile the statement anew each time.
const insertEntries = (rows: readonly unknown[]) =>
  `INSERT INTO audit_events (${CONTENT_COLUMNS.join(', ')}, content, link)
   VALUES ${valueRows(rows, CONTENT_COLUMNS.length + 2)} RETURNING id, link`;

/** The end of the chain: the number of entries, and the last one's id and link. */
export interface Head {
  count: number;
  last_id: number;
  link: Buffer | null;
}
interface HeadRow extends Head {
  mac: Buffer | null;
  sealed_key: Buffer | null;
}

const KEY_BYTES = 32;
/** Rows per statement when older rows are added to the chain. */
const BATCH = 2000;

function hmac(
  key: KeyObject,
  purpose: 'content' | 'link' | 'head' | 'anchor',
  ...parts: (Buffer | string)[]
): Buffer {
  const mac = createHmac('sha256', key).update(`history 1 ${purpose}\n`);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

export const contentHash = (key: KeyObject, row: EntryContent): Buffer =>
  hmac(key, 'content', JSON.stringify(CONTENT_COLUMNS.map((column) => row[column])));
/** Covers the hash of the content, not the content: the two hashes of a removed row stay, and the chain remains valid. */
export const linkHash = (key: KeyObject, previousLink: Buffer | null, content: Buffer): Buffer =>
  hmac(key, 'link', previousLink ?? '', content);
/** The MAC of a head stored outside the database, and of its time. */
export const anchorMac = (key: KeyObject, { count, last_id, link }: Head, time: string): Buffer =>
  hmac(key, 'anchor', `${count} ${last_id} ${time}\n`, link ?? '');
export const headMac = (key: KeyObject, { count, last_id, link }: Head): Buffer =>
  hmac(key, 'head', `${count} ${last_id}\n`, link ?? '');

/**
 * Chains the entries: each carries a keyed hash of itself and of the previous entry's link. Without the master key, nobody
 * who can write to the database can change, remove or cut off entries undetected. The key is random and stored encrypted in
 * the database, so that the chain remains valid when the master key is replaced.
 */
export function createChain(
  seal: Sealer,
  /** Called for each batch of rows of versions without a chain. */
  onChained: (trx: Knex.Transaction, rows: OlderRow[]) => Promise<void>,
) {
  /** The key of a new chain; unused if there is one. */
  const newKey = randomBytes(KEY_BYTES);
  let cached: { sealed: Buffer; key: KeyObject } | undefined;
  /** The end of the chain within a transaction that has added an entry, and so holds the lock on the head. */
  const ends = new WeakMap<Knex.Transaction, { key: KeyObject; head: Head }>();

  /** Caches the key by the stored form read: the transaction that stored it may have been rolled back. */
  function keyIn(sealed: Buffer): KeyObject {
    if (!cached?.sealed.equals(sealed)) cached = { sealed, key: createSecretKey(seal.open(sealed)) };
    return cached.key;
  }

  /** The end of the chain before a new entry. The update locks the head, so that no other process adds an entry meanwhile. */
  async function lockHead(trx: Knex.Transaction): Promise<{ key: KeyObject; head: Head }> {
    const sealed = cached?.sealed ?? seal.seal(newKey);
    const [{ sealed_key, ...head }] = (await queryRows(
      trx,
      `UPDATE audit_head SET count = count + 1, sealed_key = coalesce(sealed_key, ?) WHERE id = 1
       RETURNING count - 1 AS count, last_id, link, sealed_key`,
      [sealed],
    )) as [Head & { sealed_key: Buffer }];
    return { key: keyIn(sealed_key), head };
  }

  const writeHead = (trx: Knex.Transaction, key: KeyObject, head: Head) =>
    execute(trx, 'UPDATE audit_head SET count = ?, last_id = ?, link = ?, mac = ? WHERE id = 1', [
      head.count,
      head.last_id,
      head.link,
      headMac(key, head),
    ]);

  /** Adds the rows of versions without a chain. @returns the end of the chain. */
  async function chainOlderRows(trx: Knex.Transaction, key: KeyObject): Promise<Head> {
    const head: Head = { count: 0, last_id: 0, link: null };
    for (;;) {
      const rows: OlderRow[] = await trx('audit_events')
        .where('id', '>', head.last_id)
        .orderBy('id')
        .limit(BATCH)
        .select('id', ...CONTENT_COLUMNS);
      if (rows.length === 0) return head;
      const chained = rows.map((row) => {
        const content = contentHash(key, row);
        head.count += 1;
        head.last_id = row.id;
        head.link = linkHash(key, head.link, content);
        return [row.id, content.toString('hex'), head.link.toString('hex')];
      });
      const bytesAt = (index: number) => fromHex(textOf('one.value', index));
      await execute(
        trx,
        `UPDATE audit_events SET content = ${bytesAt(1)}, link = ${bytesAt(2)}
         FROM ${boundTupleRows('one')} WHERE audit_events.id = ${numberOf('one.value', 0)}`,
        [bindList(chained)],
      );
      await onChained(trx, rows);
    }
  }

  /** Like `lockHead`, after the rows of versions without a chain: a command may add an entry before the server has begun it. */
  async function lockEnd(trx: Knex.Transaction): Promise<{ key: KeyObject; head: Head }> {
    const end = await lockHead(trx);
    return end.head.count > 0 ? end : { key: end.key, head: await chainOlderRows(trx, end.key) };
  }

  return {
    /** Begins the chain with the existing rows, all in this transaction. @returns the number of rows. */
    async begin(trx: Knex.Transaction): Promise<number> {
      const { count }: Head = await trx('audit_head').where({ id: 1 }).first('count');
      if (count > 0 || !(await trx('audit_events').first('id'))) return 0;
      const { key } = await lockHead(trx);
      const head = await chainOlderRows(trx, key);
      await writeHead(trx, key, head);
      return head.count;
    },

    /** Adds entries at the end. @returns their ids, in the same order. */
    async append(trx: Knex.Transaction, rows: readonly EntryContent[]): Promise<number[]> {
      const { key, head } = ends.get(trx) ?? (await lockEnd(trx));
      let { link } = head;
      const entries = rows.map((row) => {
        const content = contentHash(key, row);
        link = linkHash(key, link, content);
        return { row, content, link };
      });
      const inserted = (await queryRows(
        trx,
        insertEntries(entries),
        entries.flatMap(({ row, content, link }) => [
          ...CONTENT_COLUMNS.map((column) => row[column]),
          content,
          link,
        ]),
      )) as { id: number; link: Buffer }[];
      // No database promises to return rows in their order. Each link is unique.
      const idOf = new Map(inserted.map(({ id, link }) => [link.toString('hex'), id]));
      const ids = entries.map(({ link }) => idOf.get(link.toString('hex'))!);
      const end = { count: head.count + ids.length, last_id: ids.at(-1) ?? head.last_id, link };
      await writeHead(trx, key, end);
      ends.set(trx, { key, head: end });
      return ids;
    },

    /**
     * Deletes entries, such as those past their retention; their hashes stay in the chain. The caller adds an entry that
     * names their ids, or the proof fails.
     */
    async remove(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
      const idList = [bindList(ids)];
      const isRemoved = `id IN (${BOUND_IDS})`;
      await execute(
        trx,
        `INSERT INTO audit_removed (id, content, link) SELECT id, content, link FROM audit_events WHERE ${isRemoved}`,
        idList,
      );
      await execute(trx, `DELETE FROM audit_links WHERE event_id IN (${BOUND_IDS})`, idList);
      await execute(trx, `DELETE FROM audit_events WHERE ${isRemoved}`, idList);
    },

    /** The present end and the key; null before the first entry. @throws if the key cannot be decrypted. */
    async head(db: Knex): Promise<{ key: KeyObject; row: HeadRow } | null> {
      const row: HeadRow = await db('audit_head').where({ id: 1 }).first();
      return row.sealed_key ? { key: keyIn(row.sealed_key), row } : null;
    },
  };
}
export type Chain = ReturnType<typeof createChain>;
interface OlderRow extends EntryContent {
  id: number;
}
