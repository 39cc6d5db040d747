import type { Knex } from 'knex';

/**
 * Files that links may give since all Aadhaar numbers in them were found, or none, are checked again: numbers right before
 * a letter, and numbers whose digits are separated by low lines or some kinds of dashes, were not found. The copies and
 * the pictures of pages made from them are swept.
 */
export async function up(knex: Knex): Promise<void> {
  const served = () =>
    knex('renditions').where((any) =>
      any
        .where((one) => one.whereLike('kind', 'masked %').where('pages', '>=', 0))
        .orWhereLike('kind', 'masked_page %'),
    );
  const copies: string[] = await served().whereNotNull('blob_id').pluck('blob_id');
  const discarded_at = new Date().toISOString();
  for (let start = 0; start < copies.length; start += 500)
    await knex('discarded_blobs')
      .insert(copies.slice(start, start + 500).map((blob_id) => ({ blob_id, discarded_at })))
      .onConflict('blob_id')
      .ignore();
  await served().delete();
}

export const lost = null;

/** Nothing to restore: the verdicts are made again when they are needed. */
export const down = (): Promise<void> => Promise.resolve();
