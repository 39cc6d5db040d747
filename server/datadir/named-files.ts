import type { Knex } from 'knex';

export interface FileRow {
  /** The item's id. */
  id: number;
  name: string;
  blob_id: string;
  file_size: number;
  sha256: string;
  /** For an earlier version of the item: the time when it was uploaded. */
  version_of?: string;
}

/** A query of all items that are not purged, including those in Trash. Databases of older versions have no Trash. */
async function existingItems(db: Knex): Promise<() => Knex.QueryBuilder> {
  if (!(await db.schema.hasTable('trash'))) return () => db('items');
  return () => db('item_rows').whereNotIn('id', db('hidden_items').whereNull('trash').select('item_id'));
}

/** A query of the earlier versions of these items, without content that an item still has; null in databases of older versions. */
async function existingVersions(db: Knex): Promise<(() => Knex.QueryBuilder) | null> {
  if (!(await db.schema.hasTable('versions'))) return null;
  const items = await existingItems(db);
  return () =>
    db('versions')
      .whereIn('item_id', items().select('id'))
      .whereNotIn('blob_id', db('item_rows').whereNotNull('blob_id').select('blob_id'));
}

/** The files that were added first. */
export async function oldestFiles(db: Knex, limit: number): Promise<Pick<FileRow, 'blob_id'>[]> {
  const items = await existingItems(db);
  return items().whereNotNull('blob_id').orderBy('id').limit(limit).select('blob_id');
}

const PAGE_ROWS = 1000;
const PAGE_IDS = 10_000;
const COLUMNS = ['name', 'blob_id', 'file_size', 'sha256'];

/** All files in the database, and then all earlier versions, fetched in pages. */
export async function* fileRows(db: Knex): AsyncGenerator<FileRow> {
  const items = await existingItems(db);
  const versions = await existingVersions(db);
  const files = (after: string) =>
    items()
      .where('blob_id', '>', after)
      .orderBy('blob_id')
      .limit(PAGE_ROWS)
      .select('id', ...COLUMNS);
  yield* paginate<FileRow>(files, (row) => row.blob_id);
  if (!versions) return;
  // Several versions may have the same blob, since a version can be restored.
  const earlier = (after: string) =>
    db('versions')
      .whereIn(
        'id',
        versions()
          .where('blob_id', '>', after)
          .groupBy('blob_id')
          .orderBy('blob_id')
          .limit(PAGE_ROWS)
          .min('id'),
      )
      .orderBy('blob_id')
      .select('item_id as id', 'created_at as version_of', ...COLUMNS);
  yield* paginate<FileRow>(earlier, (row) => row.blob_id);
}

/** Keyset pagination: each page starts after the key of the last row. */
async function* paginate<Row>(
  fetchAfter: (key: string) => PromiseLike<Row[]>,
  keyOf: (row: Row) => string,
): AsyncGenerator<Row> {
  for (let after = ''; ;) {
    const page = await fetchAfter(after);
    yield* page;
    if (page.length === 0) return;
    after = keyOf(page.at(-1)!);
  }
}

/** Whether the file, or an earlier version of it, still has this blob. */
export async function stillExists(db: Knex, { id, blob_id }: FileRow): Promise<boolean> {
  if (await (await existingItems(db))().where({ id, blob_id }).first('id')) return true;
  const versions = await existingVersions(db);
  return versions !== null && (await versions().where({ item_id: id, blob_id }).first('id')) !== undefined;
}

/** The file whose content is this blob, or else the earlier version. */
export async function fileOf(db: Knex, blob_id: string): Promise<FileRow | undefined> {
  const file = await (
    await existingItems(db)
  )()
    .where({ blob_id })
    .first('id', ...COLUMNS);
  if (file) return file;
  return (await existingVersions(db))?.()
    .where({ blob_id })
    .first('item_id as id', 'created_at as version_of', ...COLUMNS);
}

/** A random sample of the files. */
export async function sampleFiles(db: Knex, limit: number): Promise<FileRow[]> {
  const items = await existingItems(db);
  return items()
    .whereNotNull('blob_id')
    .orderByRaw('random()')
    .limit(limit)
    .select('id', ...COLUMNS);
}

/** The numbers of files and of earlier versions. */
export async function countFiles(db: Knex): Promise<{ files: number; versions: number }> {
  const files = (await existingItems(db))().whereNotNull('blob_id').count({ n: '*' }).first();
  const versions = (await existingVersions(db))?.().countDistinct({ n: 'blob_id' }).first();
  return { files: Number((await files)!.n), versions: Number((await versions)?.n ?? 0) };
}

/** Such as `"a.pdf" (item 17)`; for an earlier version with the day of its upload. */
export const described = ({ name, id, version_of }: FileRow): string =>
  version_of === undefined
    ? `"${name}" (item ${id})`
    : `"${name}" (item ${id}, its version of ${version_of.slice(0, 10)})`;

/**
 * The ids of all blobs that must be kept: those of files and of earlier versions, the parts of joined blobs, and files that clients have
 * sent and that are not in the drive yet. Databases of older versions lack some of the tables.
 */
export async function* fileBlobs(db: Knex): AsyncGenerator<string> {
  const items = await existingItems(db);
  const versions = await existingVersions(db);
  for (const rows of versions ? [items, versions] : [items])
    yield* paginate<string>(
      // Selecting only this column is answered from a covering index.
      (after) =>
        rows().where('blob_id', '>', after).distinct().orderBy('blob_id').limit(PAGE_IDS).pluck('blob_id'),
      (id) => id,
    );
  const arrived = (await db.schema.hasTable('arrivals'))
    ? db('arrivals').whereNotNull('blob_id').select('blob_id')
    : null;
  if (arrived) yield* (await arrived.clone().distinct().pluck('blob_id')) as string[];
  if (!(await db.schema.hasTable('blob_parts'))) return;
  const parts = (after: string) =>
    db('blob_parts')
      .where('part_id', '>', after)
      .andWhere((of) => {
        of.whereIn('blob_id', items().whereNotNull('blob_id').select('blob_id'));
        if (versions) of.orWhereIn('blob_id', versions().select('blob_id'));
        if (arrived) of.orWhereIn('blob_id', arrived.clone());
      })
      .orderBy('part_id')
      .limit(PAGE_IDS)
      .pluck('part_id');
  yield* paginate<string>(parts, (id) => id);
}

/** Names the file to which a blob belongs, also as one of its parts. */
export async function describeBlob(db: Knex, id: string): Promise<string> {
  const joined = (await db.schema.hasTable('blob_parts'))
    ? await db('blob_parts').where({ part_id: id }).first('blob_id')
    : undefined;
  const file = await fileOf(db, joined?.blob_id ?? id);
  return file ? described(file) : `the stored file ${id}`;
}
