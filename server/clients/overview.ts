import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { andVisible, visibleParent } from '#server/visibility/visible.ts';
import type { ClientActivity, ClientFigures } from './contract.ts';
import { expression, monthInIndia, queryRows } from '#server/db/sql.ts';

/** What is shown of the latest activity. */
const SHOWN = 8;

/** `2026-27` of a month `2026-04`: India's financial year begins in April. */
export function financialYear(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const start = number >= 4 ? year : year - 1;
  return `${start}-${String((start + 1) % 100).padStart(2, '0')}`;
}

/** What a client has, by financial years of its files' dates, the latest first; read from an index alone. */
export async function figuresOf(db: Knex, clientId: number): Promise<ClientFigures> {
  // Only folders have no type.
  const month = monthInIndia('coalesce(original_at, modified_at)');
  const rows: { month: string; files: number; items: number; bytes: number }[] = await db('items')
    .where('client_id', clientId)
    .groupByRaw('1')
    .select(
      expression(db, `${month} AS month, count(*) AS items, count(file_type) AS files`),
      expression(db, 'coalesce(sum(file_size), 0) AS bytes'),
    );
  const years = new Map<string, { files: number; bytes: number }>();
  const total = { files: 0, folders: 0, bytes: 0 };
  for (const { month, files, items, bytes } of rows) {
    total.files += files;
    total.folders += items - files;
    total.bytes += bytes;
    if (files === 0) continue;
    const year = financialYear(month);
    const sum = years.get(year) ?? { files: 0, bytes: 0 };
    years.set(year, { files: sum.files + files, bytes: sum.bytes + bytes });
  }
  return {
    ...total,
    formatted_bytes: formatBytes(total.bytes),
    years: Array.from(years, ([year, { files, bytes }]) => ({
      year,
      files,
      bytes,
      formatted_bytes: formatBytes(bytes),
    })).toSorted((a, b) => b.year.localeCompare(a.year)),
  };
}

/** Which of the client's items somebody of the firm opened or changed last. Each user's are a few hundred at most. */
export const activityOf = (db: Knex, actor: Actor, clientId: number): Promise<ClientActivity[]> =>
  queryRows(
    db,
    `SELECT i.id AS item_id, i.name, i.type, i.file_type, ${visibleParent(actor, 'i')} AS parent_id, u.name AS user_name, t.touched_at AS at
     FROM users u CROSS JOIN touches t ON t.user_id = u.id CROSS JOIN items i ON i.id = t.item_id
     WHERE u.firm_id = ? AND i.client_id = ?${andVisible(actor, 'i')} ORDER BY t.touched_at DESC, i.id DESC LIMIT ?`,
    [actor.firmId, clientId, SHOWN],
  );
