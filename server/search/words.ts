import type { Knex } from 'knex';
import { ENTRY_ID, newestOfEach } from '#server/db/full-text.ts';
import { LINE_END, positionOf, queryManyRows } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { andVisibleClient, isVisibleJoined } from '#server/visibility/visible.ts';
import { join, nameQuestion } from './grams.ts';
import type { Wanted } from './match.ts';
import { holds, wantedOf } from './match.ts';

/** Names that may hold a word, of which so many are looked at. */
export const NAMES = 500;

/** A word of a search, with what it leads to. */
export interface Word {
  wanted: Wanted;
  /** What asks the index for it; null when that knows nothing of such a word. */
  question: string | null;
  /**
   * Items whose names may hold it, the newest first, one more than `NAMES` where there are more; null for a word that the
   * index does not know.
   */
  names: readonly number[] | null;
  /** The firm's clients whose names hold it. */
  clients: ReadonlySet<number>;
}

/** Looks each of the words up in the names of items and of clients. @param words folded. */
export async function lookUp(db: Knex, viewer: FirmViewer, words: readonly string[]): Promise<Word[]> {
  const each = words.map((word) => ({
    wanted: wantedOf(word),
    question: nameQuestion(viewer.firmId, word),
  }));
  const questions = each.map(({ question }) => question).filter((question) => question !== null);
  const [clients, ids] = await Promise.all([
    clientsNamed(db, viewer, words),
    newestOfEach(db, questions, NAMES + 1, isVisibleJoined(viewer, ENTRY_ID)),
  ]);
  const known = new Map(questions.map((question, at) => [question, ids[at]!]));
  return each.map(({ wanted, question }) => ({
    wanted,
    question,
    names: question === null ? null : known.get(question)!,
    clients: new Set(clients.flatMap(({ id, name }) => (holds(name, wanted) ? [id] : []))),
  }));
}

/** Words of digits and letters are found where something stands between the two: each part has to be there. */
const parts = (word: string): string[] => join(word).match(/\p{Nd}+|\P{Nd}+/gu) ?? [word];

/** The clients in whose names any of the words may stand, with their folded names. */
function clientsNamed(
  db: Knex,
  viewer: FirmViewer,
  words: readonly string[],
): Promise<{ id: number; name: string }[]> {
  // What a search of clients looks at begins with the name, on a line of its own.
  const end = positionOf(LINE_END, `search_text || ${LINE_END}`);
  const inName = `${positionOf('?', 'search_text')} BETWEEN 1 AND ${end}`;
  const asked = words.map(parts);
  const any = asked.map((each) => `(${each.map(() => inName).join(' AND ')})`).join(' OR ');
  return queryManyRows(
    db,
    ['id', 'name'],
    `SELECT id, substr(search_text, 1, ${end} - 1) AS name FROM clients
     WHERE firm_id = ?${andVisibleClient(viewer)} AND (${any})`,
    [viewer.firmId, ...asked.flat()],
  );
}

/**
 * A word that no item is named by can only stand in the client's name: the clients that hold all such words, to one of
 * which whatever matches then belongs; null where there is no such word.
 */
export function onlyClients(words: readonly Word[]): ReadonlySet<number> | null {
  const [first, ...others] = words.filter(({ names }) => names?.length === 0).map(({ clients }) => clients);
  return first ? others.reduce<ReadonlySet<number>>((all, each) => all.intersection(each), first) : null;
}

/** Whether there is a word that few items are named by, or none. */
export const leadsToFew = (words: readonly Word[]): boolean =>
  words.some(({ names }) => names !== null && names.length <= NAMES);
