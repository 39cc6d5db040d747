import type { Actor } from '#server/actor.ts';
import type { MatchableItem, Search } from '#server/search/index.ts';
import type { Direction } from '../contract.ts';
import type { Condition, Filter, Span } from './filters.ts';

/** A position in the sort order: the sort value and the id of a row. */
export interface Place {
  value: string | number;
  id: number;
}

/** A query for the files that the actor sees. */
export interface Question {
  actor: Actor;
  firmId: number;
  /** Column of the sort order. */
  column: string;
  direction: Direction;
  /** Position at which the previous page ended. */
  after: Place | null;
  limit: number;
  narrow: readonly Filter[];
  wide: readonly Condition[];
  /** The date range, if the list is sorted by that date. */
  span: Span | null;
  /** Matches words in the names of files, folders above, and clients. */
  named: Search | undefined;
}

export type Row = Place & MatchableItem;
