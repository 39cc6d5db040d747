import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Announce } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import type { Processes } from '#server/db/processes.ts';
import { AppError } from '#server/http/errors.ts';
import { currentScope } from '#server/http/scope.ts';
import type { Change, Sight } from './changes.ts';
import { kindsOf, touchesSessions } from './changes.ts';
import { HEARTBEAT } from './contract.ts';
import type { HubLimits, Line, Reader } from './hub.ts';
import { createHub } from './hub.ts';

/** How often it is looked whether the sessions of open connections still stand. */
const LOOK = 60_000;

export interface EventParts {
  log: Pick<Logger, 'warn'>;
  /** Who is behind a session now; null once it has ended. */
  actorOfSession: (sessionId: number) => Promise<Actor | null>;
  /** Of these sessions, those that have neither ended nor run out. Writes nothing. */
  standing: (sessionIds: readonly number[]) => Promise<ReadonlySet<number>>;
  /** Which clients' things the actor may see; null for everything of the firm. */
  sightOf: (actor: Actor) => Promise<Sight | null>;
  processes: Pick<Processes, 'several' | 'place' | 'tell' | 'hear' | 'missed'>;
  /** By which places are known in every process that serves the vault. */
  secret: Buffer;
  limits?: HubLimits;
}

/** Calls back once what a transaction holds has been committed, and never when it is undone. */
function afterCommit(trx: Knex.Transaction, then: () => void): void {
  let outermost = trx;
  while (outermost.parentTransaction) outermost = outermost.parentTransaction;
  const { executionPromise = Promise.resolve() } = outermost as Partial<Knex.Transaction>;
  executionPromise.then(then, () => {});
}

/**
 * Tells open screens that something has changed, at once and to each only what concerns what it may see. What is audited
 * is announced, from one place and after its commit; jobs announce themselves.
 */
export function createEvents(parts: EventParts) {
  const { log, actorOfSession, standing, sightOf, processes, secret, limits } = parts;
  const hub = createHub({
    limits,
    place: processes.place(),
    spread: (told) => processes.tell('changes', told),
    // Alone, nobody knows after a restart what was missed: then the key is of this process.
    key: processes.several
      ? createHmac('sha256', secret).update('places of events').digest().subarray(0, 16)
      : undefined,
  });
  let stopped = false;

  /** Takes rights as they are now: who is signed out hears no more. */
  async function recheck(firmId: number): Promise<void> {
    const readers = Map.groupBy(hub.readers(firmId), ({ actor }) => actor.sessionId);
    for (const [sessionId, same] of readers) {
      const actor = await actorOfSession(sessionId).catch((error: unknown) => {
        // Somebody who may not work now, such as outside of office hours.
        if (error instanceof AppError) return null;
        throw error;
      });
      const sight = actor && (await sightOf(actor));
      for (const reader of same) {
        if (!actor) hub.end(reader, 'signed_out');
        else if (isOther(reader, actor, sight)) hub.renew(reader, actor, sight);
      }
    }
  }
  const recheckQuietly = (firmId: number): void =>
    void recheck(firmId).catch((error: unknown) =>
      log.warn({ err: error }, 'rights of open connections were not looked at'),
    );

  processes.hear('changes', ({ changes, ...told }, seq) => {
    if (!stopped) hub.hear({ ...told, changes: changes as Change[], seq });
  });
  processes.hear('rights', ({ firmId, sights }) => {
    const readers = hub.readers(firmId);
    const concerned = sights ? readers.some(({ sight }) => sight !== null) : readers.length > 0;
    if (concerned && !stopped) recheckQuietly(firmId);
  });
  processes.missed(() => {
    if (stopped) return;
    hub.forget(processes.place());
    for (const firmId of new Set(hub.readers().map(({ actor }) => actor.firmId))) recheckQuietly(firmId);
  });

  async function sweep(): Promise<void> {
    const readers = hub.readers();
    if (readers.length === 0) return;
    const alive = await standing([...new Set(readers.map(({ actor }) => actor.sessionId))]);
    for (const reader of readers) if (!alive.has(reader.actor.sessionId)) hub.end(reader, 'signed_out');
  }
  const timers = [
    setInterval(() => {
      for (const { line } of hub.readers()) line.send(': still here\n\n');
    }, HEARTBEAT).unref(),
    setInterval(() => {
      sweep().catch((error: unknown) => log.warn({ err: error }, 'open connections were not looked at'));
    }, LOOK).unref(),
  ];

  const announce: Announce = (trx, entry, links) => {
    const firmId = entry.actor?.firmId ?? entry.firmId;
    if (firmId === undefined) return;
    // In a request it is the user's own screen that changes something, and shows it already.
    const by = currentScope() ? (entry.actor as Partial<Actor> | undefined)?.sessionId : undefined;
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
      hub.announce(firmId, by ?? null, changes);
      // A client may come to a group that somebody works for.
      const sights = entry.did.startsWith('client.');
      if (sights || sessions) processes.tell('rights', { firmId, sights: !sessions });
    });
  };

  return {
    /** For the audit trail: tells of an entry once its transaction is committed. */
    announce,

    /** Tells of what is not audited; to be called after the commit. */
    tell(firmId: number, changes: readonly Change[]): void {
      if (!stopped) hub.announce(firmId, null, changes);
    },

    /**
     * Has a connection told what changes, beginning with what it missed since `lastId`.
     * @returns what ends it, to be called when the connection is closed.
     * @throws {AppError} 503 while the server is stopping.
     */
    async listen(actor: Actor, line: Line, lastId?: string): Promise<() => void> {
      if (stopped) {
        const message = 'The server is being restarted. Please try again in a moment.';
        throw new AppError(503, 'stopping', message, { retryAfter: 5 });
      }
      const reader: Reader = { actor, sight: await sightOf(actor), line };
      hub.join(reader, lastId);
      return () => void hub.drop(reader);
    },

    /** What a page that is drawn now gives as the `Last-Event-ID` of its first connection. */
    now: hub.now,

    /** Ends sessions' connections whose time has come; done every minute. */
    sweep,

    /** How many connections are open. */
    open: (): number => hub.readers().length,

    /** Ends every connection at once, and lets no more in. */
    stop(): void {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      hub.stop();
    },
  };
}
export type Events = ReturnType<typeof createEvents>;

const rights = ({ role, permissions, clientScope, seated }: Actor): string =>
  JSON.stringify([role, permissions, clientScope, seated]);
const seen = (sight: Sight | null): string =>
  JSON.stringify(sight && [sight.unassigned, [...sight.clients].toSorted((a, b) => a - b)]);
const isOther = (reader: Reader, actor: Actor, sight: Sight | null): boolean =>
  rights(reader.actor) !== rights(actor) || seen(reader.sight) !== seen(sight);
