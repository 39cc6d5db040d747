import type { Knex } from 'knex';
import type { Sealer } from '../db/column-encryption.ts';
import { createColumnSealer, SEALED } from '../db/column-encryption.ts';
import { Refused } from './refused.ts';

const BATCH = 200;

type Sealed = keyof typeof SEALED;

const REPAIR_HINTS = {
  emails: 'Wait until it has expired, which takes three days at most.',
  twoStep: 'Switch it off first: npm run admin -- let-in EMAIL --two-step-off, then open the link.',
  textIndex: 'The key of a text index is damaged: restore the database from a backup first.',
  logos: 'A logo is damaged: remove it in Settings first, and upload it anew afterwards.',
  scans:
    'What was read of a scan is damaged: choose Read again for its file, or restore the database from a backup.',
  pdfPasswords: 'A remembered password of a PDF is damaged: restore the database from a backup first.',
  choices: 'Wait until it has run out, which takes five minutes.',
  history: 'The key of the history is damaged: restore the database from a backup first.',
} satisfies Record<Sealed, string>;

function opened(sealer: Sealer, sealed: Buffer): Buffer | null {
  try {
    return sealer.open(sealed);
  } catch {
    return null;
  }
}

/**
 * Reseals one column. Values that the new secret already opens are skipped.
 * @param unopened called with the row of each value that neither secret opens; that value stays as it is.
 * @returns how many values were resealed, or would be when `dry`.
 */
async function resealColumn(
  trx: Knex.Transaction,
  what: Sealed,
  { from, to, dry }: { from: Buffer; to: Buffer; dry: boolean },
  unopened: (rowId: number) => void,
): Promise<number> {
  const { table, column, purpose } = SEALED[what];
  const [old, fresh] = [createColumnSealer(from, purpose), createColumnSealer(to, purpose)];
  let moved = 0;
  for (let after = 0; ;) {
    const rows: { id: number; sealed: Buffer }[] = await trx.raw(
      'SELECT rowid AS id, ?? AS sealed FROM ?? WHERE rowid > ? AND ?? IS NOT NULL ORDER BY rowid LIMIT ?',
      [column, table, after, column, BATCH],
    );
    for (const { id, sealed } of rows) {
      if (opened(fresh, sealed)) continue;
      const plain = opened(old, sealed);
      if (!plain) {
        unopened(id);
        continue;
      }
      moved += 1;
      if (!dry) await trx.raw('UPDATE ?? SET ?? = ? WHERE rowid = ?', [table, column, fresh.seal(plain), id]);
    }
    if (rows.length < BATCH) return moved;
    after = rows.at(-1)!.id;
  }
}

const COLUMNS = Object.keys(SEALED) as Sealed[];

/**
 * Reseals all sealed columns of the database with a new secret, in one transaction. Values that the new secret
 * already opens are skipped.
 * @returns how many values were resealed, or would be when `dry`.
 * @throws {Refused} naming the first value that neither secret opens.
 */
export async function reseal(db: Knex, from: Buffer, to: Buffer, dry = false): Promise<number> {
  return db.transaction(async (trx) => {
    let moved = 0;
    for (const what of COLUMNS)
      moved += await resealColumn(trx, what, { from, to, dry }, (id) => {
        throw new Refused(
          `Row ${id} of ${SEALED[what].table} opens with no key we have. ${REPAIR_HINTS[what]} Nothing was changed.`,
        );
      });
    return moved;
  });
}

/**
 * Reseals the sealed columns of a copy of the database, which may be of another version and have been made before an earlier key was
 * replaced: what it lacks is skipped, and what neither secret opens stays as it is.
 */
export async function resealCopy(db: Knex, from: Buffer, to: Buffer): Promise<void> {
  await db.transaction(async (trx) => {
    for (const what of COLUMNS) {
      const { table, column } = SEALED[what];
      if (!(await trx.schema.hasTable(table)) || !(await trx.schema.hasColumn(table, column))) continue;
      await resealColumn(trx, what, { from, to, dry: false }, () => {});
    }
  });
}
