import type { Knex } from 'knex';
import type { Sealer } from '../db/column-encryption.ts';
import { createColumnSealer, SEALED } from '../db/column-encryption.ts';
import { Refused } from './refused.ts';

const BATCH = 200;

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
} satisfies Record<keyof typeof SEALED, string>;

function opened(sealer: Sealer, sealed: Buffer): Buffer | null {
  try {
    return sealer.open(sealed);
  } catch {
    return null;
  }
}

/**
 * Reseals all sealed columns of the database with a new secret, in one transaction. Values that the new secret
 * already opens are skipped.
 * @returns how many values were resealed, or would be when `dry`.
 * @throws {Refused} naming the first value that neither secret opens.
 */
export async function reseal(db: Knex, from: Buffer, to: Buffer, dry = false): Promise<number> {
  return db.transaction(async (trx) => {
    let moved = 0;
    for (const [what, { table, column, purpose }] of Object.entries(SEALED)) {
      const [old, fresh] = [createColumnSealer(from, purpose), createColumnSealer(to, purpose)];
      for (let after = 0; ;) {
        const rows: { id: number; sealed: Buffer }[] = await trx.raw(
          'SELECT rowid AS id, ?? AS sealed FROM ?? WHERE rowid > ? AND ?? IS NOT NULL ORDER BY rowid LIMIT ?',
          [column, table, after, column, BATCH],
        );
        for (const { id, sealed } of rows) {
          if (opened(fresh, sealed)) continue;
          const plain = opened(old, sealed);
          if (!plain) {
            const hint = REPAIR_HINTS[what as keyof typeof SEALED];
            throw new Refused(
              `Row ${id} of ${table} opens with no key we have. ${hint} Nothing was changed.`,
            );
          }
          moved += 1;
          if (!dry)
            await trx.raw('UPDATE ?? SET ?? = ? WHERE rowid = ?', [table, column, fresh.seal(plain), id]);
        }
        if (rows.length < BATCH) break;
        after = rows.at(-1)!.id;
      }
    }
    return moved;
  });
}
