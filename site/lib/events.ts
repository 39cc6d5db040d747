import type { ChangePiece, EndReason } from '#server/events/contract.ts';
import { SILENCE_MS } from '#server/events/contract.ts';
import { authHeaders } from './api.ts';

/** Handlers for server events. The tabs of a browser share one connection. */
interface Listener {
  changed(pieces: readonly ChangePiece[]): void;
  /** Events may have been missed. */
  reset(): void;
  /** The user's permissions have changed or the session has ended: request the session again. */
  session(): void;
}

interface Message {
  event: string;
  data: unknown;
  id?: string | undefined;
}

/** Reconnect delays in milliseconds: doubled from `first` to `max`; `crowded` after the server's `crowded` end. */
const RECONNECT_MS = { first: 500, max: 30_000, crowded: 120_000 };
/** Milliseconds without a message after which the leading tab is presumed frozen. */
const FROZEN_MS = 1.5 * SILENCE_MS;
const LOCK_NAME = 'events';

/** Parses one block of the event stream; null for a comment. */
export function parse(block: string): Message | null {
  const message: Message = { event: '', data: null };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    const [field, value] = [line.slice(0, colon), line.slice(colon + 2)];
    if (field === 'event') message.event = value;
    else if (field === 'id') message.id = value;
    else if (field === 'data') message.data = JSON.parse(value);
  }
  return message.event === '' ? null : message;
}

/** A random number from 0 to 1. */
const randomFraction = (): number => crypto.getRandomValues(new Uint16Array(1))[0]! / 0xffff;

/** Resolves after `ms`, or earlier when `signal` aborts or the network returns. */
const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', finish, { once: true });
    addEventListener('online', finish, { once: true });
  });

/**
 * Reads one connection until it ends. Never throws.
 * @returns the reason for the end; null if the connection broke.
 */
async function readStream(
  signal: AbortSignal,
  lastId: string | undefined,
  onMessage: (message: Message | null) => void,
): Promise<EndReason | 'refused' | null> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const restartTimer = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    const response = await fetch('/api/events', {
      headers: { ...(await authHeaders('GET')), ...(lastId && { 'Last-Event-ID': lastId }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status === 401 || response.status === 403) return 'refused';
    if (!response.ok || !response.body) return null;
    let text = '';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      restartTimer();
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = parse(block);
        if (message?.event === 'end') return message.data as EndReason;
        onMessage(message);
      }
    }
  } catch {
    // The connection broke, or `signal` aborted it.
  } finally {
    clearTimeout(timer);
  }
  return null;
}

/** Keeps a connection open until `signal` aborts, reconnecting after every break. */
async function maintainConnection(
  signal: AbortSignal,
  lastId: () => string | undefined,
  onMessage: (message: Message | null) => void,
): Promise<void> {
  let backoff = RECONNECT_MS.first;
  while (!signal.aborted) {
    const end = await readStream(signal, lastId(), (message) => {
      backoff = RECONNECT_MS.first;
      onMessage(message);
    });
    if (signal.aborted) return;
    const isRefused = end === 'signed_out' || end === 'refused';
    if (isRefused) onMessage({ event: 'session', data: null });
    // A tab that waits to reconnect is not frozen: report it as alive.
    onMessage(null);
    const ms = end === 'crowded' ? RECONNECT_MS.crowded : isRefused ? RECONNECT_MS.max : backoff;
    // Random jitter spreads the reconnects after a server restart.
    await delay(ms * (0.5 + randomFraction()), signal);
    backoff = Math.min(2 * backoff, RECONNECT_MS.max);
  }
}

/** Delivers the events since `id` over a connection of its own; resolves when done, or when the connection breaks. */
async function catchUp(id: string | undefined, signal: AbortSignal, onMessage: (message: Message) => void) {
  const done = new AbortController();
  await readStream(AbortSignal.any([signal, done.signal]), id, (message) => {
    if (message) onMessage(message);
    if (message?.event === 'ready' || message?.event === 'reset') done.abort();
  });
}

/**
 * Subscribes to the server's events while a signed-in user has a screen open. One leading tab holds the connection, since
 * a browser allows few per server. It relays the events to the other tabs, one of which takes over when it closes.
 * @param renderedAt id of the last event before the page was rendered; without it, anything may have changed since.
 * @returns unsubscribe.
 */
export function subscribeToEvents(listener: Listener, renderedAt?: string): () => void {
  const stop = new AbortController();
  const channel = new BroadcastChannel('server-events');
  let lastId = renderedAt;
  let receivedAt = performance.now();

  function receive(message: Message | null): void {
    receivedAt = performance.now();
    if (!message) return;
    lastId = message.id ?? lastId;
    if (message.event === 'change') listener.changed(message.data as ChangePiece[]);
    else if (message.event === 'reset') listener.reset();
    else if (message.event === 'session') listener.session();
  }
  channel.addEventListener('message', ({ data }) => receive(data as Message | null));
  function relay(message: Message | null): void {
    receive(message);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin to name
    channel.postMessage(message);
  }
  if (renderedAt === undefined) listener.reset();
  const lead = (signal: AbortSignal) => maintainConnection(signal, () => lastId, relay);

  /** Without Web Locks (a page without HTTPS) each tab has its own connection while it is visible. */
  function connectWhileVisible(): void {
    let controller: AbortController | undefined;
    const update = (): void => {
      if (document.visibilityState === 'hidden') {
        controller?.abort();
        controller = undefined;
      } else if (!controller && !stop.signal.aborted) {
        controller = new AbortController();
        void maintainConnection(AbortSignal.any([controller.signal, stop.signal]), () => lastId, receive);
      }
    };
    document.addEventListener('visibilitychange', update, { signal: stop.signal });
    update();
  }

  /** Leads if no tab does; else catches up on the events since the page was rendered, and waits for the lock. */
  async function start(): Promise<void> {
    const isFree = await navigator.locks
      .request(LOCK_NAME, { ifAvailable: true }, async (lock) => lock !== null)
      .catch(() => false);
    if (!isFree && renderedAt !== undefined && !stop.signal.aborted)
      void catchUp(renderedAt, stop.signal, receive);
    await leadWithLock();
  }

  async function leadWithLock(steal = false): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, stop.signal]);
    // The Web Locks API accepts `steal` or `signal`, not both.
    const options = steal ? { steal } : { signal: stop.signal };
    try {
      await navigator.locks.request(LOCK_NAME, options, () => lead(signal));
    } catch {
      // Another tab presumed this one frozen and stole the lock, or `stop` aborted.
      lost.abort();
      if (!stop.signal.aborted) await leadWithLock();
    }
  }
  /** Takes the lead over from a tab that seems frozen. */
  function checkLeader(): void {
    if (document.visibilityState === 'hidden' || performance.now() - receivedAt < FROZEN_MS) return;
    receivedAt = performance.now();
    void leadWithLock(true);
  }

  if ('locks' in navigator) {
    void start();
    const timer = setInterval(checkLeader, SILENCE_MS / 2);
    document.addEventListener('visibilitychange', checkLeader, { signal: stop.signal });
    stop.signal.addEventListener('abort', () => clearInterval(timer));
  } else connectWhileVisible();

  return () => {
    stop.abort();
    channel.close();
  };
}
