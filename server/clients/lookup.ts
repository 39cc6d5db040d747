import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { PLAIN_NAME } from '#server/db/client-names.ts';
import { fold } from '#server/text/fold.ts';
import { plain, plainWord } from '#server/text/plain-name.ts';
import type { ClientHit, ClientView } from './contract.ts';
import { filterByWords, searchWords } from './list.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import { expression, positionOf } from '#server/db/sql.ts';
import { tellApart } from './namesakes.ts';

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
const PLACES = Object.keys(FOUND_IN) as (keyof typeof FOUND_IN)[];

/** A pattern of LIKE for texts in which these words begin words, in this order. */
const beginningWords = (words: readonly string[]): string =>
  words.map((word) => `% ${word.replace(/[\\%_]/g, String.raw`\$&`)}`).join('') + '%';

/**
 * The best matches, as `filterByWords` finds them. Ranked by: the name is the text, it begins with the text, the words begin
 * words of the name in this order, all are in the name, an identifier or phone number, the e-mail address; active clients
 * first within a rank.
 */
export async function lookup(db: Knex, actor: Actor, search: string, limit: number): Promise<ClientHit[]> {
  const wanted = searchWords(search);
  if (wanted.length === 0) return [];
  const words = wanted.map(plainWord);
  const text = words.join(' ');
  const inName = `${positionOf('?', PLAIN_NAME)} > 0`;
  const onlyInEmail = `(NOT ${inName} AND ${positionOf('?', `lower(coalesce(email, ''))`)} > 0)`;
  const rank = expression(
    db,
    `CASE WHEN ${PLAIN_NAME} = ? THEN 0
       WHEN ${positionOf('?', PLAIN_NAME)} = 1 THEN 1
       WHEN ' ' || ${PLAIN_NAME} LIKE ? ESCAPE '\\' THEN 2
       WHEN ${wanted.map(() => inName).join(' AND ')} THEN 3
       WHEN ${wanted.map(() => onlyInEmail).join(' OR ')} THEN 5 ELSE 4 END AS rank`,
    [text, text, beginningWords(words), ...words, ...wanted.flatMap((word) => [plainWord(word), word])],
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
  const apartBy = tellApart(rows, PLACES);
  return rows.map((row) => {
    const { id, name, client_type, city, status } = row;
    const folded = fold(name);
    const apart = apartBy.get(id);
    const elsewhere = wanted.find(
      (word) => !folded.includes(word) && !plain(folded).includes(plainWord(word)),
    );
    const found =
      elsewhere !== undefined
        ? (foundIn(row, wanted.join('')) ?? foundIn(row, elsewhere))
        : // A document would go to the wrong one of two clients of one name.
          apart
          ? shown(row, apart)
          : null;
    return { id, name, client_type, city, status, found_in: found };
  });
}

const shown = (row: Row, key: keyof typeof FOUND_IN): string => `${FOUND_IN[key]} ${row[key]}`;

function foundIn(row: Row, word: string): string | null {
  const key = PLACES.find((key) => {
    const text = row[key];
    return text && (fold(text).includes(word) || text.replace(/\D/g, '').includes(word));
  });
  return key ? shown(row, key) : null;
}
