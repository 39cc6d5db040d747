import { atom } from 'nanostores';
import type { Conflict, ItemView } from '#server/documents/contract.ts';
import type { Pace } from './pace.ts';
import { advance, start, timeLeft } from './pace.ts';

export const MOST_AT_ONCE = 3;
/** Milliseconds a completed row stays in the panel. */
export const DONE_STAYS = 5000;
export const CANCELLED = 'Upload cancelled';

export type UploadStatus = 'queued' | 'uploading' | 'completed' | 'error';

/** Why no further upload begins: the session has ended, the network is away, or the server does not answer. */
export type Hold = 'signed-out' | 'offline' | 'unreachable';

/** Milliseconds until an upload that found no server is tried again: together more than one needs to start. */
const AGAIN = [1000, 2000, 4000, 8000, 15_000, 30_000];
/** Milliseconds between two reports of progress: more would only make the page draw. */
const REPORT_EVERY = 200;

export interface Upload {
  readonly id: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly status: UploadStatus;
  /** Whole percent. */
  readonly progress: number;
  /** Bytes sent. */
  readonly loaded: number;
  readonly clientId: number | null;
  /** The folder it was put into; within an uploaded folder, the folder that one is in. */
  readonly parentId: number | null;
  /** Whether it is a ZIP to be unpacked once it is there. */
  readonly extractZip: boolean;
  /** The uploaded folder it came in, which the panel shows as one row. */
  readonly batch: { readonly id: string; readonly name: string } | null;
  readonly startedAt: number | null;
  /** Bytes a second. */
  readonly speed: number | null;
  /** Whole seconds left. */
  readonly eta: number | null;
  readonly error: string | null;
  /** Said of a completed one in place of its size. */
  readonly note: string | null;
  /** Trying again may help; it never does for a type that is not allowed. */
  readonly retryable: boolean;
  readonly result: Uploaded | null;
}

/** The new file, and the job that unpacks it when that was asked for. */
export type Uploaded = Pick<ItemView, 'id' | 'name'> & { extraction_id?: number };

export interface NewUpload {
  file: File;
  clientId: number | null;
  parentId: number | null;
  batch?: { id: string; name: string };
  extractZip?: boolean;
  /** What to do when the name is taken; `keep` when absent. */
  conflict?: Conflict;
  /** The same content is there already under this name: nothing is sent. */
  alreadyThere?: boolean;
  /** Makes the folder the file belongs in, when that is not `parentId` itself. */
  place?: () => Promise<number | null>;
  /** Known beforehand to be refused: it is only shown. */
  refused?: string;
}

export interface Sending {
  file: File;
  clientId: number | null;
  parentId: number | null;
  extractZip: boolean;
  conflict: Conflict;
  /** It was begun before, and nobody knows what became of that. */
  again: boolean;
  signal: AbortSignal;
  onProgress: (loaded: number) => void;
  /** So many bytes are there from before, and stay there. */
  onResumed: (loaded: number) => void;
}

/** Rejects with an UploadError, or with anything else for what nobody foresaw. */
export type Send = (sending: Sending) => Promise<Uploaded>;

export class UploadError extends Error {
  readonly retryable: boolean;
  readonly hold: Hold | null;
  constructor(
    message: string,
    { retryable = true, hold = null }: { retryable?: boolean; hold?: Hold | null } = {},
  ) {
    super(message);
    this.retryable = retryable;
    this.hold = hold;
  }
}

/** The reason of an abort that is no cancelling. */
export const HELD = 'held';

interface Means {
  send: Send;
  /** Told of a file that is cancelled while it waits, of which a part may have been sent before. */
  forget?: (source: NewUpload) => void;
  now?: () => number;
  later?: (run: () => void, milliseconds: number) => void;
}

/** The uploads of this tab: a plain store outside any view, so that they go on while pages change. */
export function createQueue({ send, forget, now = Date.now, later = setTimeout }: Means) {
  const $uploads = atom<readonly Upload[]>([]);
  const $hold = atom<Hold | null>(null);
  const sources = new Map<string, NewUpload>();
  const running = new Map<string, AbortController>();
  const listeners = new Set<(upload: Upload) => void>();
  /** How often an upload found no server since it last got any further, in bytes that stayed there. */
  const missed = new Map<string, { times: number; there: number }>();
  let lastId = 0;

  const find = (id: string) => $uploads.get().find((upload) => upload.id === id);
  const patch = (id: string, change: Partial<Upload>) =>
    $uploads.set($uploads.get().map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  const drop = (ids: ReadonlySet<string>) => {
    for (const id of ids) {
      sources.delete(id);
      missed.delete(id);
    }
    $uploads.set($uploads.get().filter((upload) => !ids.has(upload.id)));
  };
  const leaves = (upload: Upload | undefined) =>
    upload?.status === 'completed' || upload?.error === CANCELLED;

  function pump() {
    if ($hold.get() !== null) return;
    for (const upload of $uploads.get()) {
      if (running.size >= MOST_AT_ONCE) return;
      if (upload.status === 'queued' && !running.has(upload.id)) void run(upload);
    }
  }

  async function run({ id, size, startedAt }: Upload) {
    const source = sources.get(id);
    if (!source) return;
    const abort = new AbortController();
    running.set(id, abort);
    let pace: Pace = start(now());
    let reported = -Infinity;
    patch(id, {
      status: 'uploading',
      startedAt: now(),
      error: null,
      progress: 0,
      loaded: 0,
      speed: null,
      eta: null,
    });
    const onProgress = (loaded: number) => {
      // Multipart adds its own bytes to the file's.
      const sent = Math.min(loaded, size);
      if (sent < size && now() - reported < REPORT_EVERY) return;
      reported = now();
      pace = advance(pace, sent, now());
      const progress = size === 0 ? 0 : Math.min(99, Math.floor((sent * 100) / size));
      patch(id, { loaded: sent, progress, speed: pace.speed, eta: timeLeft(size - sent, pace.speed) });
    };
    try {
      const parentId = source.place ? await source.place() : source.parentId;
      abort.signal.throwIfAborted();
      sources.set(id, { ...source, parentId });
      const { file, clientId, extractZip = false, conflict = 'keep' } = source;
      const result = await send({
        file,
        clientId,
        parentId,
        extractZip,
        conflict,
        again: startedAt !== null,
        signal: abort.signal,
        onProgress,
        onResumed(there) {
          pace = { ...start(now()), loaded: there };
          if (there > (missed.get(id)?.there ?? 0)) missed.set(id, { times: 0, there });
          onProgress(there);
        },
      });
      settle(id, { status: 'completed', progress: 100, loaded: size, speed: null, eta: null, result });
    } catch (error) {
      if (abort.signal.reason === HELD) wait(id);
      else if (abort.signal.aborted)
        settle(id, { status: 'error', error: CANCELLED, retryable: true, speed: null, eta: null });
      else fail(id, error);
    }
    running.delete(id);
    pump();
  }

  const wait = (id: string) => patch(id, { status: 'queued', speed: null, eta: null });

  function settle(id: string, change: Partial<Upload>) {
    patch(id, change);
    const upload = find(id);
    if (!upload) return;
    if (upload.status === 'completed') for (const listener of listeners) listener(upload);
    if (leaves(upload)) later(() => leaves(find(id)) && drop(new Set([id])), DONE_STAYS);
  }

  function fail(id: string, error: unknown) {
    const known = error instanceof UploadError ? error : new UploadError('Upload failed');
    if (known.hold === 'unreachable') {
      const { times, there } = missed.get(id) ?? { times: 0, there: 0 };
      missed.set(id, { times: times + 1, there });
      const pause = AGAIN[times];
      if (pause !== undefined) return holdFor(id, known.hold, pause);
    } else if (known.hold) return holdFor(id, known.hold);
    settle(id, { status: 'error', error: known.message, retryable: known.retryable, speed: null, eta: null });
  }

  function holdFor(id: string, why: Hold, pause?: number) {
    wait(id);
    // The others that find the same have their turn with the first.
    if ($hold.get() === null && pause !== undefined) later(() => $hold.get() === why && resume(), pause);
    $hold.set(why);
  }
  function resume() {
    $hold.set(null);
    pump();
  }

  const cancelOne = (upload: Upload) => {
    if (upload.status === 'uploading') running.get(upload.id)?.abort();
    if (upload.status !== 'queued') return;
    const source = sources.get(upload.id);
    if (source && upload.startedAt !== null) forget?.(source);
    settle(upload.id, { status: 'error', error: CANCELLED, retryable: true });
  };
  const retryWhere = (wanted: (upload: Upload) => boolean) => {
    const again = (upload: Upload): Upload =>
      upload.status === 'error' && upload.retryable && wanted(upload)
        ? { ...upload, status: 'queued', error: null, progress: 0, loaded: 0 }
        : upload;
    $uploads.set($uploads.get().map(again));
    pump();
  };

  return {
    $uploads,
    $hold,

    add(uploads: readonly NewUpload[]) {
      const added = uploads.map((source): Upload => {
        const id = `upload-${(lastId += 1)}`;
        sources.set(id, source);
        return {
          id,
          name: source.file.name,
          size: source.file.size,
          status: statusOf(source),
          progress: source.alreadyThere ? 100 : 0,
          loaded: source.alreadyThere ? source.file.size : 0,
          clientId: source.clientId,
          parentId: source.parentId,
          extractZip: source.extractZip ?? false,
          batch: source.batch ?? null,
          startedAt: null,
          speed: null,
          eta: null,
          error: source.refused ?? null,
          note: source.alreadyThere ? 'Already there' : null,
          retryable: source.refused === undefined,
          result: null,
        };
      });
      $uploads.set([...$uploads.get(), ...added]);
      const over = new Set(added.filter(leaves).map(({ id }) => id));
      if (over.size > 0) later(() => drop(over), DONE_STAYS);
      pump();
    },

    /** Stops what is queued or under way; what is completed stays as it is. */
    cancel(ids: readonly string[]) {
      const wanted = new Set(ids);
      for (const upload of $uploads.get()) if (wanted.has(upload.id)) cancelOne(upload);
    },

    retry(ids: readonly string[]) {
      const wanted = new Set(ids);
      for (const id of ids) missed.delete(id);
      retryWhere((upload) => wanted.has(upload.id));
    },

    /** Takes completed and failed rows away. */
    clear(ids: readonly string[] = $uploads.get().map((upload) => upload.id)) {
      const wanted = new Set(ids);
      const over = $uploads
        .get()
        .filter(({ id, status }) => wanted.has(id) && (status === 'completed' || status === 'error'));
      drop(new Set(over.map((upload) => upload.id)));
    },

    /** Stops what is under way and begins nothing more, until `resume`. Nothing is lost from the queue. */
    hold(why: Hold) {
      $hold.set(why);
      for (const abort of running.values()) abort.abort(HELD);
    },

    /** Goes on after a hold. */
    resume,

    /** @returns what ends the listening. */
    onCompleted(listener: (upload: Upload) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function statusOf({ refused, alreadyThere }: NewUpload): UploadStatus {
  if (refused !== undefined) return 'error';
  return alreadyThere ? 'completed' : 'queued';
}

export type Queue = ReturnType<typeof createQueue>;
