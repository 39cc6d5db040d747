import type { Actor } from '#server/actor.ts';
import type { MatchableItem, Search } from '#server/search/index.ts';
import type { Direction } from '../contract.ts';
import type { Condition, Filter, Span } from './filters.ts';

/** A position in the sort order: the sort value and the id of a row. */
export interface SortPosition {
  value: string | number;
  id: number;
}

/** A query for the files that the actor sees. */
export interface FileQuery {
  actor: Actor;
  firmId: number;
  /** Column of the sort order. */
  column: string;
  direction: Direction;
  /** Position at which the previous page ended. */
  after: SortPosition | null;
  limit: number;
  indexedFilters: readonly Filter[];
  otherConditions: readonly Condition[];
  /** The date range, if the list is sorted by that date. */
  span: Span | null;
  /** Matches words in the names of files, folders above, and clients. */
  nameSearch: Search | undefined;
}

export type Row = SortPosition & MatchableItem;
