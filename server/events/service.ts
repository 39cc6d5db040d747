import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Announce } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import type { Processes } from '#server/db/processes.ts';
import { AppError } from '#server/http/errors.ts';
import { currentRequest } from '#server/http/request-context.ts';
import type { Change, VisibleClients } from './changes.ts';
import { kindsOf, touchesSessions } from './changes.ts';
import { HEARTBEAT_MS } from './contract.ts';
import type { EventStream, HubLimits, Listener } from './hub.ts';
import { createHub } from './hub.ts';

/** How often the sessions of open connections are checked. */
const SESSION_CHECK_MS = 60_000;

interface EventDependencies {
  log: Pick<Logger, 'warn'>;
  /** The actor of a session with its present rights; null once it has ended. */
  actorOfSession: (sessionId: number) => Promise<Actor | null>;
  /** The ids of these sessions that have neither ended nor expired. Does not extend them. */
  activeSessions: (sessionIds: readonly number[]) => Promise<ReadonlySet<number>>;
  /** The clients that the actor sees; null if it sees all of the firm. */
  visibleClientsOf: (actor: Actor) => Promise<VisibleClients | null>;
  processes: Pick<Processes, 'several' | 'lastSequence' | 'publish' | 'subscribe' | 'onMissed'>;
  /** The secret of the vault, from which all its processes derive the same key for event ids. */
  secret: Buffer;
  limits?: HubLimits;
}

/** Calls `notify` once the outermost transaction is committed; never if it is rolled back. */
function afterCommit(trx: Knex.Transaction, notify: () => void): void {
  let outermost = trx;
  while (outermost.parentTransaction) outermost = outermost.parentTransaction;
  const { executionPromise = Promise.resolve() } = outermost as Partial<Knex.Transaction>;
  executionPromise.then(notify, () => {});
}

/**
 * Server-sent events: notifies open screens of changes, each only of what its user may see. Audited changes are published here, after their
 * commit; jobs and other changes call `publish`.
 */
export function createEvents(dependencies: EventDependencies) {
  const { log, actorOfSession, activeSessions, visibleClientsOf, processes, secret, limits } = dependencies;
  const hub = createHub({
    limits,
    sequence: processes.lastSequence(),
    broadcast: (message) => processes.publish('changes', message),
    // A single process loses its history when it restarts, so its ids need not be readable afterwards: its key is random.
    key: processes.several
      ? createHmac('sha256', secret).update('places of events').digest().subarray(0, 16)
      : undefined,
  });
  let stopped = false;

  /** Applies the present rights to the listeners of a firm, and ends those whose session has ended. */
  async function recheck(firmId: number): Promise<void> {
    const bySession = Map.groupBy(hub.listeners(firmId), ({ actor }) => actor.sessionId);
    for (const [sessionId, listeners] of bySession) {
      const actor = await actorOfSession(sessionId).catch((error: unknown) => {
        // The user may not work now, such as outside of office hours.
        if (error instanceof AppError) return null;
        throw error;
      });
      const visibleClients = actor && (await visibleClientsOf(actor));
      for (const listener of listeners) {
        if (!actor) hub.end(listener, 'signed_out');
        else if (rightsDiffer(listener, actor, visibleClients))
          hub.updateRights(listener, actor, visibleClients);
      }
    }
  }
  const recheckQuietly = (firmId: number): void =>
    void recheck(firmId).catch((error: unknown) =>
      log.warn({ err: error }, 'rights of open connections were not looked at'),
    );

  processes.subscribe('changes', ({ changes, ...message }, seq) => {
    if (!stopped) hub.receive({ ...message, changes: changes as Change[], seq });
  });
  processes.subscribe('rights', ({ firmId, sights }) => {
    const listeners = hub.listeners(firmId);
    const isAffected = sights
      ? listeners.some(({ visibleClients }) => visibleClients !== null)
      : listeners.length > 0;
    if (isAffected && !stopped) recheckQuietly(firmId);
  });
  processes.onMissed(() => {
    if (stopped) return;
    hub.reset(processes.lastSequence());
    for (const firmId of new Set(hub.listeners().map(({ actor }) => actor.firmId))) recheckQuietly(firmId);
  });

  async function sweep(): Promise<void> {
    const listeners = hub.listeners();
    if (listeners.length === 0) return;
    const active = await activeSessions([...new Set(listeners.map(({ actor }) => actor.sessionId))]);
    for (const listener of listeners)
      if (!active.has(listener.actor.sessionId)) hub.end(listener, 'signed_out');
  }
  const timers = [
    setInterval(() => {
      for (const { stream } of hub.listeners()) stream.send(': still here\n\n');
    }, HEARTBEAT_MS).unref(),
    setInterval(() => {
      sweep().catch((error: unknown) => log.warn({ err: error }, 'open connections were not looked at'));
    }, SESSION_CHECK_MS).unref(),
  ];

  const announce: Announce = (trx, entry, links) => {
    const firmId = entry.actor?.firmId ?? entry.firmId;
    if (firmId === undefined) return;
    // A change made by a request is already shown on the screen that sent it.
    const by = currentRequest() ? (entry.actor as Partial<Actor> | undefined)?.sessionId : undefined;
    const { parents } = entry.concerns ?? {};
    const items = links.items.length > 0 ? links.items : undefined;
    const changes = kindsOf(entry.did).map((kind): Change => {
      if (kind === 'items') return { kind, items, parents, clients: links.clients };
      if (kind === 'notes' || kind === 'fields') return { kind, items, clients: links.clients };
      return kind === 'clients' ? { kind, clients: links.clients } : { kind };
    });
    const sessions = touchesSessions(entry.did);
    if (changes.length === 0 && !sessions) return;
    afterCommit(trx, () => {
      if (stopped) return;
      hub.publish(firmId, by ?? null, changes);
      // A change of a client may move it into a group that a user is assigned to.
      const sights = entry.did.startsWith('client.');
      if (sights || sessions) processes.publish('rights', { firmId, sights: !sessions });
    });
  };

  return {
    /** For the audit trail: publishes an entry once its transaction is committed. */
    announce,

    /** Publishes changes that are not audited. Must be called after the commit. */
    publish(firmId: number, changes: readonly Change[]): void {
      if (!stopped) hub.publish(firmId, null, changes);
    },

    /**
     * Subscribes a connection to changes, beginning with those that it missed since the event `lastId`.
     * @returns a function that unsubscribes it, to be called when the connection is closed.
     * @throws {AppError} 503 while the server is stopping.
     */
    async subscribe(actor: Actor, stream: EventStream, lastId?: string): Promise<() => void> {
      if (stopped) {
        const message = 'The server is being restarted. Please try again in a moment.';
        throw new AppError(503, 'stopping', message, { retryAfter: 5 });
      }
      const listener: Listener = { actor, visibleClients: await visibleClientsOf(actor), stream };
      hub.join(listener, lastId);
      return () => void hub.drop(listener);
    },

    /** The `Last-Event-ID` for the first connection of a page that is rendered now. */
    currentEventId: hub.currentEventId,

    /** Ends the connections of expired sessions; runs every minute. */
    sweep,

    /** The number of open connections. */
    openConnections: (): number => hub.listeners().length,

    /** Ends all connections and refuses new ones. */
    stop(): void {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      hub.stop();
    },
  };
}
export type Events = ReturnType<typeof createEvents>;

const rightsKey = ({ role, permissions, clientScope, seated }: Actor): string =>
  JSON.stringify([role, permissions, clientScope, seated]);
const visibilityKey = (visible: VisibleClients | null): string =>
  JSON.stringify(visible && [visible.unassigned, [...visible.clients].toSorted((a, b) => a - b)]);
const rightsDiffer = (listener: Listener, actor: Actor, visibleClients: VisibleClients | null): boolean =>
  rightsKey(listener.actor) !== rightsKey(actor) ||
  visibilityKey(listener.visibleClients) !== visibilityKey(visibleClients);
