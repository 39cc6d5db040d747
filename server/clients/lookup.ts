import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { fold } from '#server/text/fold.ts';
import type { ClientHit, ClientView } from './contract.ts';
import { filterByWords, searchWords } from './list.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import { LINE_END, expression, positionOf } from '#server/db/sql.ts';

type Row = ClientHit & Pick<ClientView, 'email' | 'phone' | 'pan' | 'gstin' | 'tan' | 'cin' | 'group_name'>;
/** The searched fields besides the name, with their labels on screen. */
const FOUND_IN = {
  pan: 'PAN',
  gstin: 'GSTIN',
  phone: 'Phone',
  email: 'Email',
  tan: 'TAN',
  cin: 'CIN',
  group_name: 'Group',
} as const satisfies Partial<Record<keyof Row, string>>;

/**
 * The best matches that contain every word. Ranked by: name begins with the word, a word of the name begins with it,
 * name contains it, an identifier or phone number, the e-mail address; active clients first within a rank.
 */
export async function lookup(db: Knex, actor: Actor, search: string, limit: number): Promise<ClientHit[]> {
  const wanted = searchWords(search);
  if (wanted.length === 0) return [];
  const word = wanted[0]!;
  // The search text begins with the name on its own line.
  const name = `substr(search_text, 1, ${positionOf(LINE_END, `search_text || ${LINE_END}`)} - 1)`;
  const rank = expression(
    db,
    `CASE WHEN substr(search_text, 1, ?) = ? THEN 0 WHEN ${positionOf('?', name)} > 0 THEN 1
       WHEN ${positionOf('?', name)} > 0 THEN 2
       WHEN ${positionOf('?', `lower(coalesce(email, ''))`)} > 0 THEN 4 ELSE 3 END AS rank`,
    [word.length, word, ` ${word}`, word, word],
  );
  const page = only(db('clients').where('firm_id', actor.firmId), isVisibleClient(actor));
  filterByWords(page, wanted);
  page.orderByRaw('rank, status, sort_key, id').limit(limit).select('id', 'status', 'sort_key', rank);
  const rows: Row[] = await db
    .with('page', page)
    .from('page')
    .join('clients as c', 'c.id', 'page.id')
    .orderByRaw('page.rank, page.status, page.sort_key, page.id')
    .select('c.*');
  return rows.map(({ id, name, client_type, city, status, ...rest }) => {
    const elsewhere = wanted.find((word) => !fold(name).includes(word));
    return { id, name, client_type, city, status, found_in: elsewhere ? foundIn(rest, elsewhere) : null };
  });
}

function foundIn(row: Omit<Row, keyof ClientHit>, word: string): string | null {
  for (const [key, label] of Object.entries(FOUND_IN)) {
    const text = row[key as keyof typeof FOUND_IN];
    const isMatch = text && (fold(text).includes(word) || text.replace(/\D/g, '').includes(word));
    if (isMatch) return `${label} ${text}`;
  }
  return null;
}
