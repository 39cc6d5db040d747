import type { Actor } from '#server/actor.ts';
import type { Placed, Search } from '#server/search/index.ts';
import type { Direction } from '../contract.ts';
import type { Condition, Filter, Span } from './filters.ts';

/** A place in the order: what the row is sorted by, and its id. */
export interface Place {
  value: string | number;
  id: number;
}

/** What is asked of the files that the actor sees. */
export interface Question {
  actor: Actor;
  firmId: number;
  /** The column of the order. */
  column: string;
  direction: Direction;
  /** Where the page before ended. */
  after: Place | null;
  limit: number;
  narrow: readonly Filter[];
  wide: readonly Condition[];
  /** The dates asked for, when they are also the order. */
  span: Span | null;
  /** Words in the name, in the folders' above or in the client's. */
  named: Search | undefined;
}

export type Row = Place & Placed;
