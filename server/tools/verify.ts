import type { Knex } from 'knex';
import type { BlobStore } from '#storage/blobs.ts';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';
import { verify as readAll } from '#storage/verify.ts';
import { createBlobRecords } from '../records/blobs.ts';
import { plural } from '#server/text/plural.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { integrityFaults } from '../db/integrity.ts';
import { ENTRY_ID } from '../db/item-search.ts';
import type { FileRow } from '../datadir/named-files.ts';
import { described, fileRows, stillExists } from '../datadir/named-files.ts';
import { readUnlockedConfig } from './ask-passphrase.ts';
import { openAlongside } from './open-alongside.ts';
import type { Command } from './command.ts';
import { lostAnchors, readAnchor, ANCHOR_FILE } from '../audit/anchor.ts';
import type { Anchor, Proof } from '../audit/proof.ts';
import { createAudit } from '../audit/service.ts';
import { createColumnSealer, SEALED } from '../db/column-encryption.ts';
import { repairTotals, findTotalsFaults } from './totals.ts';

export const verify: Command = {
  summary: 'check that every file is there, whole and findable',
  args: [],
  options: { 'read-data': { type: 'boolean' }, 'mend-totals': { type: 'boolean' } },
  help: `Checks the database, each file's presence, size and seal, the running totals of files, bytes and clients, the
search index, and that nothing of the history was changed, taken out or cut off. May run beside the server. Exit code 1 when anything is wrong.

  --read-data     read and decrypt every byte and compare its SHA-256 too
  --mend-totals   first set running totals that are wrong to what is there`,

  async run({ options, env, say }) {
    const config = await readUnlockedConfig(env);
    let unread = false;
    const vault = await openAlongside(config);
    try {
      if (options['mend-totals']) {
        for (const fault of await findTotalsFaults(vault.db)) say(`Mending ${fault}`);
        await repairTotals(vault.db);
      }
      const lost = await lostAnchors(config.dataDir);
      const anchor = await readAnchor(config.dataDir).catch(() => {
        say(`WRONG: ${ANCHOR_FILE}, which notes the end of the history, cannot be read`);
        unread = true;
        return null;
      });
      const how = { readData: options['read-data'] === true, say };
      return (await reportOn({ ...vault, anchor, lost }, how)) && !unread;
    } finally {
      await vault.close();
    }
  },
};

interface Vault {
  db: Knex;
  blobs: BlobStore;
  secret: Buffer;
  /** Last known end of the history, from the file beside the database. */
  anchor?: Anchor | null;
  /** Earlier such files whose anchor no longer matched the history. */
  lost?: readonly string[];
}

/** Prints all findings. @returns whether all is well. */
export async function reportOn(
  vault: Vault,
  { readData, say }: { readData: boolean; say: (line: string) => void },
): Promise<boolean> {
  let wrong = 0;
  const complain = (line: string) => {
    wrong += 1;
    say(`WRONG: ${line}`);
  };
  for (const line of await databaseFaults(vault.db)) complain(line);
  const { faults, entries, removed, head } = await proofOf(vault);
  for (const line of faults) complain(line);
  const without = removed > 0 ? `, ${removed} of them removed as an entry says` : '';
  if (head)
    say(
      `${entries} entries of history${without}${faults.length > 0 ? '' : ', unbroken'}; it ends with ${head}.`,
    );
  else if (faults.length === 0 && (await vault.db('audit_events').first('id')))
    say('The history is not chained yet: the next start of the server does that.');
  let files = 0;
  let versions = 0;
  let bytes = 0;
  for await (const { row, why } of readData ? readFiles(vault) : weighFiles(vault)) {
    if (row.version_of === undefined) files += 1;
    else versions += 1;
    bytes += row.file_size;
    // A file that was deleted while we looked at it is no fault.
    if (why && (await stillExists(vault.db, row))) complain(`${described(row)} ${why}`);
  }
  const orphans = await countOrphans(vault);
  if (orphans > 0)
    say(
      plural('en', orphans, {
        one: '1 stored blob belongs to no file; the sweep removes it after a day.',
        other: '# stored blobs belong to no file; the sweep removes them after a day.',
      }),
    );
  const checked = readData ? 'read to the last byte' : 'present, of the right size and sealed with this key';
  const earlier = versions > 0 ? ` and ${versions} earlier versions` : '';
  say(
    `${files} files${earlier}, ${formatBytes(bytes)}: ${wrong === 0 ? checked : `${wrong} ${wrong === 1 ? 'fault' : 'faults'} found`}.`,
  );
  return wrong === 0;
}

/** Verifies the history. */
async function proofOf({ db, secret, anchor, lost = [] }: Vault): Promise<Proof> {
  const seal = createColumnSealer(secret, SEALED.history.purpose);
  const proof = await createAudit({ db, clock: () => new Date(), seal }).prove(anchor ?? null);
  for (const file of lost)
    proof.faults.push(
      `the history ended elsewhere than ${file} says: its end was cut off, or an older database was put here. ` +
        'Delete that file once you know why',
    );
  return proof;
}

/** Inconsistencies within the database. */
async function databaseFaults(db: Knex): Promise<string[]> {
  const faults = await integrityFaults(db);
  const count = async (sql: string) => Number(((await db.raw(sql)) as { n: number }[])[0]?.n ?? 0);
  const astray = await count(
    `SELECT count(*) AS n FROM items i JOIN items p ON p.id = i.parent_id
     WHERE p.type <> 'folder' OR p.firm_id <> i.firm_id`,
  );
  if (astray > 0) faults.push(`${astray} items lie in something that is not a folder of their firm`);
  for (const fault of await findTotalsFaults(db))
    faults.push(`${fault}. "npm run admin -- verify --mend-totals" sets it right`);
  const unfound = await count(
    `SELECT count(*) AS n FROM items WHERE id NOT IN (SELECT ${ENTRY_ID} FROM item_search)`,
  );
  if (unfound > 0) faults.push(`${unfound} items are not in the search index`);
  const stale = await count(
    `SELECT count(*) AS n FROM item_search WHERE ${ENTRY_ID} NOT IN (SELECT id FROM item_rows)`,
  );
  if (stale > 0) faults.push(`${stale} entries of the search index belong to no item`);
  return faults;
}

type Weighed = { row: FileRow; why: string | null };

async function* weighFiles({ db, blobs }: Vault): AsyncGenerator<Weighed> {
  for await (const row of fileRows(db)) {
    yield { row, why: await blobs.size(row.blob_id).then((size) => otherSize(size, row), describe) };
  }
}

const otherSize = (size: number, { file_size }: FileRow): string | null =>
  size === file_size ? null : `has ${size} bytes in the store, but ${file_size} in the database`;

function describe(error: unknown): string {
  if (error instanceof BlobMissing) return 'is missing from the store';
  if (error instanceof BlobCorrupt) return `is damaged: ${error.message}`;
  throw error;
}

async function* readFiles({ db, blobs }: Vault): AsyncGenerator<Weighed> {
  // One row is read for one finding, in the same order.
  const waiting: FileRow[] = [];
  const expected = async function* () {
    for await (const row of fileRows(db)) {
      waiting.push(row);
      yield { id: row.blob_id, size: row.file_size, sha256: row.sha256 };
    }
  };
  for await (const finding of readAll(blobs, expected())) {
    const row = waiting.shift()!;
    if (finding.state === 'sound') yield { row, why: null };
    else
      yield {
        row,
        why: finding.state === 'missing' ? 'is missing from the store' : `is damaged: ${finding.why}`,
      };
  }
}

async function countOrphans({ db, blobs }: Vault): Promise<number> {
  const { knownBlobs } = createBlobRecords(db);
  const discarded = new Set((await db('discarded_blobs').pluck('blob_id')) as string[]);
  let orphans = 0;
  let batch: string[] = [];
  const weigh = async () => {
    const known = await knownBlobs(batch);
    orphans += batch.filter((id) => !known.has(id) && !discarded.has(id)).length;
    batch = [];
  };
  for await (const { id } of blobs.list()) if (batch.push(id) === 500) await weigh();
  await weigh();
  return orphans;
}
