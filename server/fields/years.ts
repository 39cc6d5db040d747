import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { FilesOfYear } from '#server/clients/contract.ts';
import { monthInIndia, queryRows } from '#server/db/sql.ts';
import type { Documents } from '#server/documents/service.ts';
import { yearOfFolder } from '#server/text/years.ts';
import { andReadable } from '#server/visibility/readable.ts';
import type { FirmSecrets } from './sealed.ts';

/** The start years that are counted. */
const YEARS = Array.from({ length: 121 }, (_, index) => 1980 + index);

/**
 * Counts a client's files by year and by the month of their dates in India. The year is the one read or answered, or
 * else that of the nearest folder above whose name has one; other files are left out.
 */
export async function filesByYear(
  db: Knex,
  actor: Actor,
  clientId: number,
  { hash }: FirmSecrets,
  lineage: Documents['lineage'],
): Promise<FilesOfYear[]> {
  const rows = await queryRows<Omit<FilesOfYear, 'year'> & { known: string | null; folder: number | null }>(
    db,
    `SELECT coalesce(a.year_hash, f.year_hash) AS known,
        CASE WHEN coalesce(a.year_hash, f.year_hash) IS NULL THEN i.parent_id END AS folder,
        ${monthInIndia('coalesce(i.original_at, i.modified_at)')} AS month,
        count(*) AS files, sum(i.file_size) AS bytes
      FROM items i
      LEFT JOIN document_fields f ON f.firm_id = i.firm_id AND f.sha256 = i.sha256${andReadable(actor, 'i.sha256')}
      LEFT JOIN field_answers a ON a.item_id = i.id AND a.sha256 = i.sha256${andReadable(actor, 'i.sha256')}
      WHERE i.firm_id = ? AND i.client_id = ? AND i.file_type IS NOT NULL
      GROUP BY 1, 2, 3`,
    [actor.firmId, clientId],
  );
  const readYears = new Map(YEARS.map((year) => [hash('year', year), year]));
  const folders = new Set(rows.flatMap(({ folder }) => folder ?? []));
  const folderYears = await yearsOfFolders(actor, [...folders], lineage);
  return rows.flatMap(({ known, folder, ...row }) => {
    const year = known === null ? folderYears.get(folder ?? 0) : readYears.get(known);
    return year === undefined ? [] : [{ ...row, year }];
  });
}

async function yearsOfFolders(
  actor: Actor,
  ids: readonly number[],
  lineage: Documents['lineage'],
): Promise<Map<number, number>> {
  const years = new Map<number, number>();
  if (ids.length === 0) return years;
  for (const [id, path] of await lineage(actor, ids)) {
    const year = path.flatMap(({ name }) => yearOfFolder(name) ?? []).at(-1);
    if (year !== undefined) years.set(id, year);
  }
  return years;
}
