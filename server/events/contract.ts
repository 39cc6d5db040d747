/** The kinds of things on a screen that can change. */
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
 * A notification that something has changed which the listener may see, without its content. Ids are hints: left out, anything of the
 * kind may have changed.
 */
export interface ChangePiece {
  kind: ChangeKind;
  items?: number[];
  /** Folders whose contents have changed; null is 'My Drive'. */
  parents?: (number | null)[];
  /** 0 stands for things without a client. */
  clients?: number[];
}

/**
 * The server-sent events of `GET /api/events`; a comment is sent every 25 s as a heartbeat.
 * `ready`: changes are reported from now on. `change`: `ChangePiece[]`. `reset`: changes may have been missed, so anything may have
 * changed. `session`: the listener's own rights have changed. `end`: `EndReason`; the last event.
 */
export type EventName = 'ready' | 'change' | 'reset' | 'session' | 'end';

/** `signed_out`: do not reconnect. `crowded`: the user or the firm has opened too many connections. `stopping`: the server is. */
export type EndReason = 'signed_out' | 'crowded' | 'stopping';

/** A connection that was silent for so long is broken. */
export const SILENCE_MS = 60_000;
export const HEARTBEAT_MS = 25_000;
