import type { Knex } from 'knex';
import { ENTRY_ID, newestOfEach } from '#server/db/item-search.ts';
import { FOLDED_NAME, PLAIN_NAME } from '#server/db/client-names.ts';
import { positionOf, queryManyRows } from '#server/db/sql.ts';
import { plainWord } from '#server/text/plain-name.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { andVisibleClient, isVisibleJoined } from '#server/visibility/visible.ts';
import { joinLettersAndDigits, wordExpression, yearIn } from './grams.ts';
import type { NameMatcher, Pattern } from './match.ts';
import { createClientMatcher, createPattern } from './match.ts';

/** Item names examined per word. */
export const MAX_NAMES = 500;

/** A word of a search with the items and clients whose names contain it. */
export interface QueryWord {
  pattern: Pattern;
  /** The FTS5 expression that selects names which may contain it; null for a word without tokens. */
  expression: string | null;
  /**
   * Ids of items whose names may contain it, newest first, at most `MAX_NAMES` + 1; null for a word without tokens.
   */
  itemIds: readonly number[] | null;
  /** The visible clients whose names contain it. */
  clientIds: ReadonlySet<number>;
}

/** Looks up each word in the names of items and of clients. @param words folded. */
export async function lookUpWords(
  db: Knex,
  viewer: FirmViewer,
  words: readonly string[],
): Promise<QueryWord[]> {
  const parsed = words.map((word) => ({
    pattern: createPattern(word),
    expression: wordExpression(viewer.firmId, word),
  }));
  const expressions = parsed.map(({ expression }) => expression).filter((expression) => expression !== null);
  const [clients, ids] = await Promise.all([
    clientsNamed(db, viewer, words),
    newestOfEach(db, expressions, MAX_NAMES + 1, isVisibleJoined(viewer, ENTRY_ID)),
  ]);
  const idsByExpression = new Map(expressions.map((expression, index) => [expression, ids[index]!]));
  return parsed.map(({ pattern, expression }) => ({
    pattern,
    expression,
    itemIds: expression === null ? null : idsByExpression.get(expression)!,
    clientIds: clientsWith(clients, createClientMatcher(pattern)),
  }));
}

const clientsWith = (clients: readonly { id: number; name: string }[], matches: NameMatcher): Set<number> =>
  new Set(clients.flatMap(({ id, name }) => (matches(name) ? [id] : [])));

/** A word of letters and digits also matches with other separators between them, so the query tests its parts. */
function letterAndDigitParts(word: string): string[] {
  const parts = joinLettersAndDigits(word).match(/\p{Nd}+|\P{Nd}+/gu) ?? [word];
  return yearIn(word) === null ? parts : parts.filter((part) => part !== '-');
}

/** The clients whose names may contain any of the words, with their folded names. */
function clientsNamed(
  db: Knex,
  viewer: FirmViewer,
  words: readonly string[],
): Promise<{ id: number; name: string }[]> {
  const isInName = `${positionOf('?', FOLDED_NAME)} > 0`;
  const isInPlainName = `${positionOf('?', PLAIN_NAME)} > 0`;
  const partsOfWords = words.map(letterAndDigitParts);
  const condition = partsOfWords
    .map((each) => `(${each.map(() => isInName).join(' AND ')}) OR ${isInPlainName}`)
    .join(' OR ');
  return queryManyRows(
    db,
    ['id', 'name'],
    `SELECT id, ${FOLDED_NAME} AS name FROM clients
     WHERE firm_id = ?${andVisibleClient(viewer)} AND (${condition})`,
    [viewer.firmId, ...words.flatMap((word, index) => [...partsOfWords[index]!, plainWord(word)])],
  );
}

/**
 * The clients whose names contain every word that is in no item's name: only their items can match. Null if each word is
 * in some item's name.
 */
export function requiredClients(words: readonly QueryWord[]): ReadonlySet<number> | null {
  const [first, ...others] = words
    .filter(({ itemIds }) => itemIds?.length === 0)
    .map(({ clientIds }) => clientIds);
  return first ? others.reduce<ReadonlySet<number>>((all, each) => all.intersection(each), first) : null;
}

/** Whether at least one of the words is in the names of few items, or of none. */
export const isSelective = (words: readonly QueryWord[]): boolean =>
  words.some(({ itemIds }) => itemIds !== null && itemIds.length <= MAX_NAMES);
