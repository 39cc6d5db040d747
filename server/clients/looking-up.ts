import type { Knex } from 'knex';
import type { Actor } from '#server/auth/contract.ts';
import { fold } from '#server/search/contract.ts';
import type { ClientHit, ClientView } from './contract.ts';
import { narrow, words } from './listing.ts';

type Row = ClientHit & Pick<ClientView, 'email' | 'phone' | 'pan' | 'gstin' | 'tan' | 'cin' | 'group_name'>;
/** What a client is found by besides its name, as it is called on the screen. */
const FOUND_IN = {
  pan: 'PAN',
  gstin: 'GSTIN',
  phone: 'Phone',
  email: 'Email',
  tan: 'TAN',
  cin: 'CIN',
  group_name: 'Group',
} as const satisfies Partial<Record<keyof Row, string>>;

/** The first of the firm's clients in which every word is found: those whose name begins so, then the active ones. */
export async function lookUp(db: Knex, actor: Actor, search: string, limit: number): Promise<ClientHit[]> {
  const wanted = words(search);
  if (wanted.length === 0) return [];
  // What is searched begins with the name.
  const begins = db.raw('substr(search_text, 1, ?) <> ? AS rank', [wanted[0]!.length, wanted[0]!]);
  const page = db('clients').where('firm_id', actor.firmId);
  narrow(page, wanted);
  page.orderByRaw('rank, status, sort_key, id').limit(limit).select('id', 'status', 'sort_key', begins);
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
  for (const [key, called] of Object.entries(FOUND_IN)) {
    const text = row[key as keyof typeof FOUND_IN];
    const held = text && (fold(text).includes(word) || text.replace(/\D/g, '').includes(word));
    if (held) return `${called} ${text}`;
  }
  return null;
}
