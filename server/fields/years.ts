import type { Knex } from 'knex';
import type { ReadInYear } from '#server/clients/contract.ts';
import { BOUND_TEXTS, bindList, monthInIndia, queryRows } from '#server/db/sql.ts';
import type { FirmSecrets } from './sealed.ts';

/** The start years that are counted. */
const YEARS = Array.from({ length: 121 }, (_, at) => 1980 + at);

/** Counts a client's files by year, read or answered, and by the month of their dates in India. */
export async function readInYears(
  db: Knex,
  firmId: number,
  clientId: number,
  { hash }: FirmSecrets,
): Promise<ReadInYear[]> {
  const years = new Map(YEARS.map((year) => [hash('year', year), year]));
  const rows = await queryRows<Omit<ReadInYear, 'year'> & { known: string }>(
    db,
    `SELECT coalesce(a.year_hash, f.year_hash) AS known, ${monthInIndia('coalesce(i.original_at, i.modified_at)')} AS month,
        count(*) AS files, sum(i.file_size) AS bytes
      FROM items i
      LEFT JOIN document_fields f ON f.firm_id = i.firm_id AND f.sha256 = i.sha256
      LEFT JOIN field_answers a ON a.item_id = i.id AND a.sha256 = i.sha256
      WHERE i.firm_id = ? AND i.client_id = ? AND i.file_type IS NOT NULL
        AND coalesce(a.year_hash, f.year_hash) IN (${BOUND_TEXTS})
      GROUP BY 1, 2`,
    [firmId, clientId, bindList(years.keys())],
  );
  return rows.map(({ known, ...row }) => ({ ...row, year: years.get(known)! }));
}
