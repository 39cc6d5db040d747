/** What can change under a reader's eyes. */
export type ChangeKind =
  | 'items'
  | 'notes'
  | 'fields'
  | 'labels'
  | 'clients'
  | 'templates'
  | 'plan'
  | 'team'
  | 'jobs'
  | 'shares'
  | 'retention'
  | 'requests';

/**
 * That something the reader may see has changed; never what it says. Ids of what is concerned are hints: left out, it
 * may be anything of the kind.
 */
export interface ChangePiece {
  kind: ChangeKind;
  items?: number[];
  /** Folders whose contents are no longer the same; null is 'My Drive'. */
  parents?: (number | null)[];
  /** 0 for what is tied to no client. */
  clients?: number[];
}

/**
 * The events of `GET /api/events`, beside comments every 25 s.
 * `ready`: from here on changes are told. `change`: `ChangePiece[]`. `reset`: what was missed is not known any more, so
 * everything may have changed. `session`: the reader's own rights have changed. `end`: `EndReason`; nothing follows.
 */
export type EventName = 'ready' | 'change' | 'reset' | 'session' | 'end';

/** `signed_out`: not to be asked for again. `crowded`: others of the user or firm took the place. `stopping`: the server. */
export type EndReason = 'signed_out' | 'crowded' | 'stopping';

/** Without a word for so long, in ms, the connection is broken. */
export const SILENCE = 60_000;
export const HEARTBEAT = 25_000;
