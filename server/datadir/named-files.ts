import type { Knex } from 'knex';

export interface FileRow {
  /** Of the item. */
  id: number;
  name: string;
  blob_id: string;
  file_size: number;
  sha256: string;
  /** When it came in, of an earlier version of the item. */
  version_of?: string;
}

/** The files that are there for somebody and those in Trash, which an older database has not. */
async function keptItems(db: Knex): Promise<() => Knex.QueryBuilder> {
  if (!(await db.schema.hasTable('trash'))) return () => db('items');
  return () => db('item_rows').whereNotIn('id', db('hidden_items').whereNull('trash').select('item_id'));
}

/** What these files held before, but for what one of them holds now; an older database has none. */
async function keptVersions(db: Knex): Promise<(() => Knex.QueryBuilder) | null> {
  if (!(await db.schema.hasTable('versions'))) return null;
  const kept = await keptItems(db);
  return () =>
    db('versions')
      .whereIn('item_id', kept().select('id'))
      .whereNotIn('blob_id', db('item_rows').whereNotNull('blob_id').select('blob_id'));
}

/** So many ids are asked for at once. */
const IDS = 10_000;
const COLUMNS = ['name', 'blob_id', 'file_size', 'sha256'];

/** Every file that the database names, a page at a time, and then every earlier version. */
export async function* fileRows(db: Knex): AsyncGenerator<FileRow> {
  const kept = await keptItems(db);
  const versions = await keptVersions(db);
  const files = (after: string) =>
    kept()
      .where('blob_id', '>', after)
      .orderBy('blob_id')
      .limit(1000)
      .select('id', ...COLUMNS);
  yield* paged<FileRow>(files, (row) => row.blob_id);
  if (!versions) return;
  // Content that was restored may be that of several versions.
  const earlier = (after: string) =>
    db('versions')
      .whereIn(
        'id',
        versions().where('blob_id', '>', after).groupBy('blob_id').orderBy('blob_id').limit(1000).min('id'),
      )
      .orderBy('blob_id')
      .select('item_id as id', 'created_at as version_of', ...COLUMNS);
  yield* paged<FileRow>(earlier, (row) => row.blob_id);
}

async function* paged<Row>(
  ask: (after: string) => PromiseLike<Row[]>,
  keyOf: (row: Row) => string,
): AsyncGenerator<Row> {
  for (let after = ''; ;) {
    const page = await ask(after);
    yield* page;
    if (page.length === 0) return;
    after = keyOf(page.at(-1)!);
  }
}

/** Whether a file or an earlier version has these bytes still. */
export async function isKept(db: Knex, { id, blob_id }: FileRow): Promise<boolean> {
  if (await (await keptItems(db))().where({ id, blob_id }).first('id')) return true;
  const versions = await keptVersions(db);
  return versions !== null && (await versions().where({ item_id: id, blob_id }).first('id')) !== undefined;
}

/** The file, or else the earlier version of one, whose content is this blob. */
export async function fileOf(db: Knex, blob_id: string): Promise<FileRow | undefined> {
  const file = await (
    await keptItems(db)
  )()
    .where({ blob_id })
    .first('id', ...COLUMNS);
  if (file) return file;
  return (await keptVersions(db))?.()
    .where({ blob_id })
    .first('item_id as id', 'created_at as version_of', ...COLUMNS);
}

/** So many of the files, at random. */
export async function sampleFiles(db: Knex, most: number): Promise<FileRow[]> {
  const kept = await keptItems(db);
  return kept()
    .whereNotNull('blob_id')
    .orderByRaw('random()')
    .limit(most)
    .select('id', ...COLUMNS);
}

/** How many files the database names, and how many earlier versions of them. */
export async function countFiles(db: Knex): Promise<{ files: number; versions: number }> {
  const files = (await keptItems(db))().whereNotNull('blob_id').count({ n: '*' }).first();
  const versions = (await keptVersions(db))?.().countDistinct({ n: 'blob_id' }).first();
  return { files: Number((await files)!.n), versions: Number((await versions)?.n ?? 0) };
}

/** `"a.pdf" (item 17)`, and of what it held before the day on which that came in. */
export const described = ({ name, id, version_of }: FileRow): string =>
  version_of === undefined
    ? `"${name}" (item ${id})`
    : `"${name}" (item ${id}, its version of ${version_of.slice(0, 10)})`;

/**
 * Every blob that the files and their earlier versions need: each one's own, and the parts of joined ones; and those of
 * what clients have sent and is not in the drive yet. An older database has none of these.
 */
export async function* fileBlobs(db: Knex): AsyncGenerator<string> {
  const kept = await keptItems(db);
  const versions = await keptVersions(db);
  for (const rows of versions ? [kept, versions] : [kept])
    yield* paged<string>(
      // Asked for by themselves, they stand in an index: no row is looked at.
      (after) =>
        rows().where('blob_id', '>', after).distinct().orderBy('blob_id').limit(IDS).pluck('blob_id'),
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
        of.whereIn('blob_id', kept().whereNotNull('blob_id').select('blob_id'));
        if (versions) of.orWhereIn('blob_id', versions().select('blob_id'));
        if (arrived) of.orWhereIn('blob_id', arrived.clone());
      })
      .orderBy('part_id')
      .limit(IDS)
      .pluck('part_id');
  yield* paged<string>(parts, (id) => id);
}

/** Names the file whose bytes a blob is, also where they are those of a part. */
export async function describeBlob(db: Knex, id: string): Promise<string> {
  const whole = (await db.schema.hasTable('blob_parts'))
    ? await db('blob_parts').where({ part_id: id }).first('blob_id')
    : undefined;
  const file = await fileOf(db, whole?.blob_id ?? id);
  return file ? described(file) : `the stored file ${id}`;
}
