import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { readSnapshot } from '#server/db/snapshot.ts';
import { queryRows } from '#server/db/sql.ts';
import { auditWords } from './contract.ts';
import type { Chain, EntryContent, Head } from './chain.ts';
import { CONTENT_COLUMNS, anchorMac, contentHash, headMac, linkHash } from './chain.ts';

/** The end of the chain at a time, stored outside the database. Hashes are hex. */
export interface Anchor {
  count: number;
  last_id: number;
  link: string;
  at: string;
  /** Made with the key of the chain, so that the anchor cannot be forged. */
  mac: string;
}

export interface Proof {
  entries: number;
  /** Of these, the entries deleted by a rule; only their hashes are left. */
  removed: number;
  /** The start of the last link, short enough to write down; null without a chain. */
  head: string | null;
  /** Sentences; empty if the chain is intact. */
  faults: string[];
}

const PAGE = 2000;
/** The number of faults that are described; further ones are only counted. */
const FAULTS_DESCRIBED = 20;
/** The event of an entry whose detail `entries` lists deleted entries. */
export const REMOVAL_EVENT = 'history.take_out';

type Row = Partial<EntryContent> & { id: number; content: Buffer | null; link: Buffer | null; there: 0 | 1 };

const equalHashes = (a: Buffer | null | undefined, b: Buffer | null): boolean =>
  a?.length === b?.length && (!a || !b || timingSafeEqual(a, b));

const SQL = `SELECT id, content, link, 1 AS there, ${CONTENT_COLUMNS.join(', ')} FROM audit_events WHERE id > ?
   UNION ALL SELECT id, content, link, 0, ${CONTENT_COLUMNS.map(() => 'NULL').join(', ')} FROM audit_removed WHERE id > ?
   ORDER BY id LIMIT ${PAGE}`;

async function* rowsOf(trx: Knex.Transaction): AsyncGenerator<Row> {
  for (let after = 0; ;) {
    const page = await queryRows<Row>(trx, SQL, [after, after]);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

const describe = ({ id, did, at }: Row): string =>
  did && at ? `entry ${id} (${auditWords(did)}, ${at.slice(0, 19).replace('T', ' ')} UTC)` : `entry ${id}`;

/** The entries that this entry declares as deleted. */
function removedBy({ did, detail }: Row): number[] {
  if (did !== REMOVAL_EVENT) return [];
  const { entries } = JSON.parse(detail ?? '{}') as { entries?: number[] };
  return Array.isArray(entries) ? entries : [];
}

async function verify(trx: Knex.Transaction, chain: Chain, anchor: Anchor | null): Promise<Proof> {
  const faults: string[] = [];
  const proof: Proof = { entries: 0, removed: 0, head: null, faults };
  const end = (await chain.head(trx).catch(() => undefined)) ?? null;
  const stored: { sealed_key: Buffer | null } = await trx('audit_head').where({ id: 1 }).first('sealed_key');
  if (!end && stored.sealed_key) {
    faults.push('the key of the history does not open with this master key, so nothing of it can be proven');
    return proof;
  }
  if (!end) {
    const newest: { link: Buffer | null } | undefined = await trx('audit_events')
      .orderBy('id', 'desc')
      .first('link');
    if (newest?.link || anchor) faults.push('the key of the history is gone, so nothing of it can be proven');
    return proof;
  }
  const { key, row: head } = end;
  let previous: Row | null = null;
  let anchorFound = anchor === null;
  let undescribed = 0;
  const report = (fault: string): void =>
    void (faults.length < FAULTS_DESCRIBED ? faults.push(fault) : (undescribed += 1));
  const unexplained = new Set<number>();
  for await (const row of rowsOf(trx)) {
    proof.entries += 1;
    if (row.there) {
      const content = contentHash(key, row as EntryContent);
      if (!row.link || !row.content) report(`${describe(row)} of the history was put in`);
      else if (!equalHashes(content, row.content)) report(`${describe(row)} of the history was changed`);
      else for (const id of removedBy(row)) unexplained.delete(id);
    } else {
      proof.removed += 1;
      unexplained.add(row.id);
    }
    if (
      row.link &&
      row.content &&
      !equalHashes(linkHash(key, previous?.link ?? null, row.content), row.link)
    ) {
      const from = previous ? `between entries ${previous.id} and ${row.id}` : `before entry ${row.id}`;
      report(`${from} of the history something was taken out, put in or changed places`);
    }
    if (anchor?.last_id === row.id && anchor.link === row.link?.toString('hex')) anchorFound = true;
    if (row.link) previous = row;
  }
  for (const id of unexplained)
    report(`entry ${id} of the history was taken out, and no entry says by which rule`);
  if (!equalHashes(headMac(key, head), head.mac)) report('the note of where the history ends was changed');
  if (head.count !== proof.entries || !equalHashes(previous?.link ?? null, head.link)) {
    const last = previous ? `the last is ${describe(previous)}` : 'there is none';
    report(
      `the history ended with entry ${head.last_id}, the ${head.count}th; now there are ${proof.entries}, and ${last}`,
    );
  }
  if (anchor && !equalHashes(anchorMac(key, headOf(anchor), anchor.at), Buffer.from(anchor.mac, 'hex')))
    report('the file with the end of the history was changed');
  else if (!anchorFound)
    report(
      `the history was cut off: on ${anchor!.at.slice(0, 10)} it had ${anchor!.count} entries up to entry ${anchor!.last_id}, as the file beside the database says`,
    );
  if (undescribed > 0) faults.push(`${undescribed} more faults in the history`);
  proof.head = previous?.link?.toString('hex').slice(0, 16) ?? null;
  return proof;
}

const headOf = ({ count, last_id, link }: Anchor): Head => ({
  count,
  last_id,
  link: Buffer.from(link, 'hex'),
});

/** Entries added meanwhile are not seen. */
export const prove = (db: Knex, chain: Chain, anchor: Anchor | null): Promise<Proof> =>
  readSnapshot(db, (trx) => verify(trx, chain, anchor));

export async function anchorOf(db: Knex, chain: Chain, now: Date): Promise<Anchor | null> {
  const head = await chain.head(db);
  if (!head?.row.link) return null;
  const { count, last_id, link } = head.row;
  const nowIso = now.toISOString();
  return {
    count,
    last_id,
    link: link.toString('hex'),
    at: nowIso,
    mac: anchorMac(head.key, head.row, nowIso).toString('hex'),
  };
}

/** Whether the chain still has the entry of an anchor. */
export async function hasAnchor(db: Knex, chain: Chain, anchor: Anchor): Promise<boolean> {
  const head = await chain.head(db);
  if (!head || head.row.count < anchor.count) return false;
  return includesEnd(db, headOf(anchor));
}

/** The last entry of a history. */
type End = Omit<Head, 'count'>;

/** The last entry of a database's history; null if it has none. */
export async function endOf(db: Knex): Promise<End | null> {
  const head: End | undefined = await db('audit_head').first('last_id', 'link');
  return head?.link ? head : null;
}

/**
 * Whether a database's history has the last entry of that in another copy of the same vault. If not, work was done there that this
 * database does not know.
 */
export async function includesEnd(db: Knex, { last_id, link }: End): Promise<boolean> {
  for (const table of ['audit_events', 'audit_removed']) {
    const entry: Pick<End, 'link'> | undefined = await db(table).where({ id: last_id }).first('link');
    if (entry) return equalHashes(entry.link, link);
  }
  return false;
}
