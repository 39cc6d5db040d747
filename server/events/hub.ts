import { randomBytes } from 'node:crypto';
import type { Actor } from '#server/actor.ts';
import type { Change, VisibleClients } from './changes.ts';
import { merged, piecesFor } from './changes.ts';
import type { EndReason, EventName } from './contract.ts';
import { createEventIds } from './event-ids.ts';

/** The output side of a connection. */
export interface EventStream {
  send(text: string): void;
  /** Sends the last event and closes the connection. */
  end(text: string): void;
}

export interface Listener {
  actor: Actor;
  /** Null for a listener that sees all of the firm. */
  visibleClients: VisibleClients | null;
  stream: EventStream;
}

interface Broadcast {
  /** The sequence number. */
  seq: number;
  firmId: number;
  /** The session that has made the changes. It does not receive them, since its screen shows them already. */
  by: number | null;
  changes: Change[];
}

export interface HubLimits {
  /** Connections of one user and of one firm; the oldest is closed. */
  perUser: number;
  perFirm: number;
  /** Broadcasts that are kept for listeners that reconnect. */
  history: number;
  /** Changes within this time are sent together. */
  batchMs: number;
}
export const LIMITS: HubLimits = { perUser: 30, perFirm: 500, history: 2000, batchMs: 200 };

/** Longer batches are merged while they wait: a thousand files that are added together need only one change. */
const MAX_UNMERGED = 50;

const eventText = (name: EventName, data: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

interface HubDependencies {
  limits?: HubLimits | undefined;
  /** The key of event ids. All processes of a vault have the same, so that a listener can reconnect to any of them. */
  key?: Buffer | undefined;
  /** The sequence number before the first broadcast. */
  sequence?: number;
  /** Publishes to the hubs of all processes, which `receive` it; left out if there is only this hub. */
  broadcast?: (message: Omit<Broadcast, 'seq'>) => void;
}

/** The listeners by firm, and the recent broadcasts. Independent of HTTP, and of the meaning of changes. */
export function createHub({
  limits = LIMITS,
  key = randomBytes(16),
  sequence = 0,
  ...use
}: HubDependencies = {}) {
  const eventIds = createEventIds(key);
  const firms = new Map<number, Set<Listener>>();
  /** By firm: changes that wait for the end of the batch, grouped by session. */
  const pending = new Map<
    number,
    { groups: Map<number | null, Change[]>; timer: NodeJS.Timeout | undefined }
  >();
  const history: Broadcast[] = [];
  let seq = sequence;
  /** The first sequence number that the history covers. */
  let oldest = sequence + 1;
  const broadcast = use.broadcast ?? ((message) => receive({ ...message, seq: seq + 1 }));

  const listenersOf = (firmId: number): ReadonlySet<Listener> => firms.get(firmId) ?? new Set();

  const textFor = (
    { actor, visibleClients }: Pick<Listener, 'actor' | 'visibleClients'>,
    message: Broadcast,
  ): string | null => {
    if (message.by === actor.sessionId) return null;
    const pieces = piecesFor(message.changes, actor.userId, visibleClients);
    return pieces.length > 0 ? eventText('change', pieces, eventIds.encode(message.seq)) : null;
  };

  function receive(message: Broadcast): void {
    seq = message.seq;
    history.push(message);
    if (history.length > limits.history) oldest = history.shift()!.seq + 1;
    // Most listeners receive the same text.
    const isPersonal = message.changes.some(({ userId }) => userId !== undefined);
    let common: string | null | undefined;
    for (const listener of listenersOf(message.firmId)) {
      if (listener.actor.sessionId === message.by) continue;
      const text =
        listener.visibleClients === null && !isPersonal
          ? (common ??= textFor(listener, message))
          : textFor(listener, message);
      if (text !== null) listener.stream.send(text);
    }
  }

  function flush(firmId: number): void {
    const batch = pending.get(firmId);
    if (!batch) return;
    if (batch.groups.size === 0) return void pending.delete(firmId);
    const groups = [...batch.groups];
    batch.groups.clear();
    for (const [by, changes] of groups) broadcast({ firmId, by, changes: merged(changes) });
    batch.timer = setTimeout(flush, limits.batchMs, firmId).unref();
  }

  function drop(listener: Listener): boolean {
    const listeners = firms.get(listener.actor.firmId);
    if (!listeners?.delete(listener)) return false;
    if (listeners.size === 0) firms.delete(listener.actor.firmId);
    return true;
  }

  function end(listener: Listener, reason: EndReason): void {
    if (drop(listener)) listener.stream.end(eventText('end', reason));
  }

  return {
    /** Publishes committed changes: immediately, or in a batch if others were published just before. */
    publish(firmId: number, by: number | null, changes: readonly Change[]): void {
      if (changes.length === 0) return;
      const batch = pending.get(firmId) ?? { groups: new Map<number | null, Change[]>(), timer: undefined };
      pending.set(firmId, batch);
      const group = batch.groups.get(by) ?? [];
      group.push(...changes);
      batch.groups.set(by, group.length > MAX_UNMERGED ? merged(group) : group);
      if (!batch.timer) flush(firmId);
    },

    /** Adds a listener, and sends what it missed since the event `lastId`. */
    join(listener: Listener, lastId: string | undefined): void {
      const { firmId, userId } = listener.actor;
      const listeners = firms.get(firmId) ?? new Set();
      const ofUser = [...listeners].filter(({ actor }) => actor.userId === userId);
      if (ofUser.length >= limits.perUser) end(ofUser[0]!, 'crowded');
      else if (listeners.size >= limits.perFirm) end(listeners.values().next().value!, 'crowded');
      // Set last, since `drop` removes a firm's set that has become empty.
      firms.set(firmId, listeners.add(listener));
      const currentId = eventIds.encode(seq);
      const last = lastId === undefined ? null : eventIds.decode(lastId);
      const isCovered = last !== null && last >= oldest - 1;
      if (lastId !== undefined && !isCovered)
        return listener.stream.send(eventText('reset', null, currentId));
      let text = '';
      if (isCovered)
        for (const message of history)
          if (message.seq > last && message.firmId === firmId) text += textFor(listener, message) ?? '';
      listener.stream.send(`${text}${eventText('ready', null, currentId)}`);
    },

    /** The event id with which a listener that joined now would start. */
    currentEventId: (): string => eventIds.encode(seq),

    /** Delivers a broadcast of this hub or another. */
    receive,

    /** Broadcasts up to this sequence number may have been lost: tells all listeners that anything may have changed. */
    reset(upTo: number): void {
      history.length = 0;
      seq = upTo;
      oldest = upTo + 1;
      for (const listener of this.listeners())
        listener.stream.send(eventText('reset', null, eventIds.encode(seq)));
    },

    drop,
    end,

    /** Applies changed rights: from now on the listener receives what they allow. */
    updateRights(listener: Listener, actor: Actor, visibleClients: VisibleClients | null): void {
      Object.assign(listener, { actor, visibleClients });
      listener.stream.send(eventText('session', null));
    },

    listeners: (firmId?: number): Listener[] =>
      firmId === undefined
        ? [...firms.values()].flatMap((listeners) => [...listeners])
        : [...listenersOf(firmId)],

    stop(): void {
      for (const { timer } of pending.values()) clearTimeout(timer);
      pending.clear();
      for (const listener of this.listeners()) end(listener, 'stopping');
    },
  };
}
