import type { Knex } from 'knex';
import { ENTRY_ID, newestOfEach } from '#server/db/full-text.ts';
import { LINE_END, positionOf, queryManyRows } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { andVisibleClient, isVisibleJoined } from '#server/visibility/visible.ts';
import { join, nameQuestion } from './grams.ts';
import type { Wanted } from './match.ts';
import { holds, wantedOf } from './match.ts';

/** Names examined per word. */
export const NAMES = 500;

/** A word of a search with the items and clients whose names contain it. */
export interface Word {
  wanted: Wanted;
  /** The expression for the index; null for a word without tokens. */
  question: string | null;
  /**
   * Ids of items whose names may contain it, newest first, at most `NAMES` + 1; null for a word without tokens.
   */
  names: readonly number[] | null;
  /** The visible clients whose names contain it. */
  clients: ReadonlySet<number>;
}

/** Looks up each word in the names of items and of clients. @param words folded. */
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

/** A word of letters and digits also matches with a separator between them, so the query tests its parts. */
const parts = (word: string): string[] => join(word).match(/\p{Nd}+|\P{Nd}+/gu) ?? [word];

/** The clients whose names may contain any of the words, with their folded names. */
function clientsNamed(
  db: Knex,
  viewer: FirmViewer,
  words: readonly string[],
): Promise<{ id: number; name: string }[]> {
  // The first line of `search_text` is the folded name.
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
 * The clients whose names contain every word that is in no item's name: only their items can match. Null if each word is
 * in some item's name.
 */
export function onlyClients(words: readonly Word[]): ReadonlySet<number> | null {
  const [first, ...others] = words.filter(({ names }) => names?.length === 0).map(({ clients }) => clients);
  return first ? others.reduce<ReadonlySet<number>>((all, each) => all.intersection(each), first) : null;
}

/** Whether few items, or none, have some word in their names. */
export const leadsToFew = (words: readonly Word[]): boolean =>
  words.some(({ names }) => names !== null && names.length <= NAMES);
