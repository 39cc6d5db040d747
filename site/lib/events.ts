import type { ChangePiece, EndReason } from '#server/events/contract.ts';
import { SILENCE } from '#server/events/contract.ts';
import { authHeaders } from './api.ts';

/** What comes of the server's events; the tabs of a browser share one connection. */
export interface Listener {
  changed(pieces: readonly ChangePiece[]): void;
  /** Something may have been missed. */
  reset(): void;
  /** What the user may do has changed, or the session has ended: to be asked for anew. */
  session(): void;
}

export interface Message {
  event: string;
  data: unknown;
  id?: string | undefined;
}

/** Milliseconds before it is tried again, growing; after an end for which there is a reason, longer. */
const AGAIN = { first: 500, most: 30_000, crowded: 120_000 };
/** Milliseconds after which a tab that leads and says nothing is taken for frozen. */
const FROZEN = 1.5 * SILENCE;
const NAME = 'events';

/** One block of the stream; null for a comment. */
export function parse(block: string): Message | null {
  const message: Message = { event: '', data: null };
  for (const line of block.split('\n')) {
    const at = line.indexOf(': ');
    const [field, value] = [line.slice(0, at), line.slice(at + 2)];
    if (field === 'event') message.event = value;
    else if (field === 'id') message.id = value;
    else if (field === 'data') message.data = JSON.parse(value);
  }
  return message.event === '' ? null : message;
}

/** Between 0 and 1, another each time. */
const share = (): number => crypto.getRandomValues(new Uint16Array(1))[0]! / 0xffff;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const now = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', now, { once: true });
    addEventListener('online', now, { once: true });
  });

/**
 * Reads one connection to its end.
 * @returns why it ended; null when it broke. @throws nothing.
 */
async function read(
  signal: AbortSignal,
  lastId: string | undefined,
  hear: (message: Message | null) => void,
): Promise<EndReason | 'refused' | null> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENCE);
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENCE);
  };
  try {
    const response = await fetch('/api/events', {
      headers: { ...(await authHeaders('GET')), ...(lastId && { 'Last-Event-ID': lastId }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silent.signal]),
    });
    if (response.status === 401 || response.status === 403) return 'refused';
    if (!response.ok || !response.body) return null;
    let text = '';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      alive();
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = parse(block);
        if (message?.event === 'end') return message.data as EndReason;
        hear(message);
      }
    }
  } catch {
    // The line broke, or nobody listens any more.
  } finally {
    clearTimeout(timer);
  }
  return null;
}

/** Keeps a connection for as long as `signal` lets it, over every break. */
async function keep(
  signal: AbortSignal,
  lastId: () => string | undefined,
  hear: (message: Message | null) => void,
): Promise<void> {
  let wait = AGAIN.first;
  while (!signal.aborted) {
    const end = await read(signal, lastId(), (message) => {
      wait = AGAIN.first;
      hear(message);
    });
    if (signal.aborted) return;
    if (end === 'signed_out' || end === 'refused') hear({ event: 'session', data: null });
    // While it waits it is not frozen.
    hear(null);
    const least =
      end === 'crowded' ? AGAIN.crowded : end === 'refused' || end === 'signed_out' ? AGAIN.most : wait;
    // Not all at once after a restart.
    await pause(least * (0.5 + share()), signal);
    wait = Math.min(2 * wait, AGAIN.most);
  }
}

/** Comes back once what was missed since `id` has been told, or nobody can be asked. */
async function catchUp(id: string | undefined, signal: AbortSignal, hear: (message: Message) => void) {
  const done = new AbortController();
  await read(AbortSignal.any([signal, done.signal]), id, (message) => {
    if (message) hear(message);
    if (message?.event === 'ready' || message?.event === 'reset') done.abort();
  });
}

/**
 * Listens to the server for as long as a screen of a signed-in user is open. One tab leads and has the connection, since
 * a browser has few for each server; the others hear it from there, and one of them takes over when it is gone.
 * @param drawnAt where the events were when the page was drawn; left out, anything may have changed since.
 * @returns what ends it.
 */
export function subscribeToEvents(listener: Listener, drawnAt?: string): () => void {
  const stopping = new AbortController();
  const channel = new BroadcastChannel('server-events');
  let lastId = drawnAt;
  let heardAt = performance.now();

  function hear(message: Message | null): void {
    heardAt = performance.now();
    if (!message) return;
    lastId = message.id ?? lastId;
    if (message.event === 'change') listener.changed(message.data as ChangePiece[]);
    else if (message.event === 'reset') listener.reset();
    else if (message.event === 'session') listener.session();
  }
  channel.addEventListener('message', ({ data }) => hear(data as Message | null));
  function pass(message: Message | null): void {
    hear(message);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin to name
    channel.postMessage(message);
  }
  if (drawnAt === undefined) listener.reset();
  const lead = (signal: AbortSignal) => keep(signal, () => lastId, pass);

  /** Without locks, as on a page without HTTPS, each tab has its own connection while it is looked at. */
  async function whileShown(): Promise<void> {
    let own: AbortController | undefined;
    const look = (): void => {
      if (document.visibilityState === 'hidden') {
        own?.abort();
        own = undefined;
      } else if (!own && !stopping.signal.aborted) {
        own = new AbortController();
        void keep(AbortSignal.any([own.signal, stopping.signal]), () => lastId, hear);
      }
    };
    document.addEventListener('visibilitychange', look, { signal: stopping.signal });
    look();
  }

  /** Leads if nobody does; else hears what it missed since it was drawn, and waits for its turn. */
  async function begin(): Promise<void> {
    const free = await navigator.locks
      .request(NAME, { ifAvailable: true }, async (lock) => lock !== null)
      .catch(() => false);
    if (!free && drawnAt !== undefined && !stopping.signal.aborted)
      void catchUp(drawnAt, stopping.signal, hear);
    await inTurn();
  }

  async function inTurn(steal = false): Promise<void> {
    const mine = new AbortController();
    const both = AbortSignal.any([mine.signal, stopping.signal]);
    // A lock is asked for with a signal or stolen, not both.
    const how = steal ? { steal } : { signal: stopping.signal };
    try {
      await navigator.locks.request(NAME, how, () => lead(both));
    } catch {
      // Stolen by a tab that took this one for frozen, or nobody listens any more.
      mine.abort();
      if (!stopping.signal.aborted) await inTurn();
    }
  }
  function mind(): void {
    if (document.visibilityState === 'hidden' || performance.now() - heardAt < FROZEN) return;
    heardAt = performance.now();
    void inTurn(true);
  }

  if ('locks' in navigator) {
    void begin();
    const timer = setInterval(mind, SILENCE / 2);
    document.addEventListener('visibilitychange', mind, { signal: stopping.signal });
    stopping.signal.addEventListener('abort', () => clearInterval(timer));
  } else void whileShown();

  return () => {
    stopping.abort();
    channel.close();
  };
}
