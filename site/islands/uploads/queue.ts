import { atom } from 'nanostores';
import * as t from '#messages/uploads.ts';
import type { Pace } from './pace.ts';
import { advance, start, timeLeft } from './pace.ts';
import type { Left, NewUpload, Send, Hold, Upload, UploadStatus, Verdict } from './record.ts';
import { CANCELLED, UploadError, isBusy, isRefused, wasKnown } from './record.ts';

/** Concurrent uploads. */
export const CONCURRENCY = 3;
/** Milliseconds for which a completed row stays in the panel. */
export const COMPLETED_ROW_MS = 5000;

/** Delays before an upload that found the server unreachable is retried; in sum longer than a server restart takes. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];
/** Minimum milliseconds between two progress updates; more would only cause renders. */
const PROGRESS_INTERVAL_MS = 200;

const NOTHING_LEFT: Left = { files: 0, done: 0, known: 0, bytes: 0 };
const ALREADY_THERE = t.alreadyThere;

/** The abort reason of a hold, as opposed to a cancellation. */
export const HELD = 'held';

interface Deps {
  send: Send;
  /** Called for a queued file that is cancelled after a part of it may have been sent. */
  discardPartial?: (source: NewUpload) => void;
  /** Whether the user is reading a row: completed rows then stay longer. */
  isReading?: () => boolean;
  now?: () => number;
  later?: (run: () => void, milliseconds: number) => void;
}

/** The upload queue of this tab. It is a store outside of React, so that uploads continue while pages change. */
export function createQueue({
  send,
  discardPartial,
  isReading = () => false,
  now = Date.now,
  later = setTimeout,
}: Deps) {
  const $uploads = atom<readonly Upload[]>([]);
  const $hold = atom<Hold | null>(null);
  const $left = atom<Left>(NOTHING_LEFT);
  const sources = new Map<string, NewUpload>();
  const running = new Map<string, AbortController>();
  const listeners = new Set<(upload: Upload) => void>();
  /** Per upload: tries that found the server unreachable since `storedBytes`, the bytes on the server, last grew. */
  const unreachableTries = new Map<string, { count: number; storedBytes: number }>();
  let lastId = 0;

  const find = (id: string) => $uploads.get().find((upload) => upload.id === id);
  const patch = (id: string, change: Partial<Upload>) =>
    $uploads.set($uploads.get().map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  /** Removes uploads without counting them in the totals. */
  const discard = (ids: ReadonlySet<string>) => {
    for (const id of ids) {
      sources.delete(id);
      unreachableTries.delete(id);
    }
    $uploads.set($uploads.get().filter((upload) => !ids.has(upload.id)));
  };
  /** Removes rows from the panel; the totals keep counting them. */
  const removeRows = (ids: ReadonlySet<string>) => {
    const left = { ...$left.get() };
    for (const upload of $uploads.get()) {
      if (!ids.has(upload.id) || isRefused(upload)) continue;
      left.files += 1;
      left.bytes += upload.size;
      if (upload.status === 'completed') left.done += 1;
      if (wasKnown(upload)) left.known += 1;
    }
    $left.set(left);
    discard(ids);
  };
  const isRemovable = (upload: Upload | undefined) =>
    upload?.status === 'completed' || upload?.error === CANCELLED;
  /** The uploads that share a row: all of an uploaded folder, or one file. */
  const rowOf = ({ id, batch }: Upload): readonly Upload[] =>
    $uploads.get().filter((other) => (batch ? other.batch?.id === batch.id : other.id === id));
  /** Removes the row once all its uploads have ended, after a while. */
  const removeRowLater = (upload: Upload) => {
    if (!rowOf(upload).some(isBusy)) {
      later(() => {
        const group = rowOf(upload);
        if (group.length > 0 && isReading()) removeRowLater(upload);
        else if (!group.some(isBusy)) removeRows(new Set(group.filter(isRemovable).map(({ id }) => id)));
      }, COMPLETED_ROW_MS);
    }
  };

  function startNext() {
    if ($hold.get() !== null) return;
    for (const upload of $uploads.get()) {
      if (running.size >= CONCURRENCY) return;
      if (upload.status === 'queued' && !upload.preparing && !running.has(upload.id)) void run(upload);
    }
  }

  async function run({ id, size, startedAt }: Upload) {
    const source = sources.get(id);
    if (!source) return;
    const abort = new AbortController();
    running.set(id, abort);
    let pace: Pace = start(now());
    let reportedAt = -Infinity;
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
      // The bytes sent include the multipart headers.
      const sent = Math.min(loaded, size);
      if (sent < size && now() - reportedAt < PROGRESS_INTERVAL_MS) return;
      reportedAt = now();
      pace = advance(pace, sent, now());
      const progress = size === 0 ? 0 : Math.min(99, Math.floor((sent * 100) / size));
      patch(id, { loaded: sent, progress, speed: pace.speed, eta: timeLeft(size - sent, pace.speed) });
    };
    try {
      const parentId = source.createParents ? await source.createParents() : source.parentId;
      abort.signal.throwIfAborted();
      sources.set(id, { ...source, parentId });
      const { file, clientId, extractZip = false, conflict = 'keep' } = source;
      const result = source.folder
        ? null
        : await send({
            file,
            clientId,
            parentId,
            extractZip,
            conflict,
            again: startedAt !== null,
            signal: abort.signal,
            onProgress,
            onResumed(storedBytes) {
              pace = { ...start(now()), loaded: storedBytes };
              if (storedBytes > (unreachableTries.get(id)?.storedBytes ?? 0))
                unreachableTries.set(id, { count: 0, storedBytes });
              onProgress(storedBytes);
            },
          });
      settle(id, { status: 'completed', progress: 100, loaded: size, speed: null, eta: null, result });
    } catch (error) {
      if (abort.signal.reason === HELD) requeue(id);
      else if (abort.signal.aborted)
        settle(id, { status: 'error', error: CANCELLED, retryable: true, speed: null, eta: null });
      else fail(id, error);
    }
    running.delete(id);
    startNext();
  }

  const requeue = (id: string) => patch(id, { status: 'queued', speed: null, eta: null });

  function settle(id: string, change: Partial<Upload>) {
    patch(id, change);
    const upload = find(id);
    if (!upload) return;
    if (upload.status === 'completed') for (const listener of listeners) listener(upload);
    if (!isBusy(upload)) removeRowLater(upload);
  }

  function fail(id: string, error: unknown) {
    const { message, retryable, hold } = error instanceof UploadError ? error : new UploadError(t.failed);
    if (hold === 'unreachable') {
      const { count, storedBytes } = unreachableTries.get(id) ?? { count: 0, storedBytes: 0 };
      unreachableTries.set(id, { count: count + 1, storedBytes });
      const delay = RETRY_DELAYS_MS[count];
      if (delay !== undefined) return holdFor(id, hold, delay);
    } else if (hold) return holdFor(id, hold);
    settle(id, { status: 'error', error: message, retryable, speed: null, eta: null });
  }

  /** Requeues an upload and holds the queue; with `delay` (milliseconds), the queue then resumes by itself. */
  function holdFor(id: string, reason: Hold, delay?: number) {
    requeue(id);
    // Concurrent uploads with the same failure share the first one's timer.
    if ($hold.get() === null && delay !== undefined) later(() => $hold.get() === reason && resume(), delay);
    $hold.set(reason);
  }
  function resume() {
    $hold.set(null);
    startNext();
  }

  const cancelOne = (upload: Upload) => {
    if (upload.status === 'uploading') running.get(upload.id)?.abort();
    if (upload.status !== 'queued') return;
    const source = sources.get(upload.id);
    if (source && upload.startedAt !== null) discardPartial?.(source);
    settle(upload.id, { status: 'error', error: CANCELLED, retryable: true });
  };
  const retryWhere = (wanted: (upload: Upload) => boolean) => {
    const requeued = (upload: Upload): Upload =>
      upload.status === 'error' && upload.retryable && wanted(upload)
        ? { ...upload, status: 'queued', error: null, progress: 0, loaded: 0 }
        : upload;
    $uploads.set($uploads.get().map(requeued));
    startNext();
  };

  return {
    $uploads,
    $hold,
    $left,

    /** Adds uploads; `preparing` ones wait for `release`. @returns their ids. */
    add(uploads: readonly NewUpload[], { preparing = false } = {}): string[] {
      if (!$uploads.get().some(isBusy)) $left.set(NOTHING_LEFT);
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
          path: source.path ?? [],
          folder: source.folder ?? false,
          preparing: preparing && statusOf(source) === 'queued',
          startedAt: null,
          speed: null,
          eta: null,
          error: source.refused ?? null,
          note: source.alreadyThere ? ALREADY_THERE : null,
          retryable: source.refused === undefined,
          result: null,
        };
      });
      $uploads.set([...$uploads.get(), ...added]);
      for (const upload of added) if (isRemovable(upload)) removeRowLater(upload);
      startNext();
      return added.map(({ id }) => id);
    },

    /** Starts prepared uploads according to their verdicts, and removes those to skip. */
    release(ids: readonly string[], verdicts: ReadonlyMap<string, Verdict>) {
      const prepared = new Set(ids);
      discard(new Set(ids.filter((id) => verdicts.get(id) === 'skip')));
      const knownIds: string[] = [];
      const release = (upload: Upload): Upload => {
        const source = sources.get(upload.id);
        if (!prepared.has(upload.id) || !source) return upload;
        const verdict = verdicts.get(upload.id) ?? {};
        if (verdict !== 'skip') sources.set(upload.id, { ...source, ...verdict });
        const ready = { ...upload, preparing: false };
        if (verdict === 'skip' || !verdict.alreadyThere || upload.status !== 'queued') return ready;
        knownIds.push(upload.id);
        return { ...ready, status: 'completed', note: ALREADY_THERE, progress: 100, loaded: upload.size };
      };
      $uploads.set($uploads.get().map(release));
      for (const id of knownIds) removeRowLater(find(id)!);
      startNext();
    },

    /** Removes uploads as if they had never been chosen. */
    discard: (ids: readonly string[]) => discard(new Set(ids)),

    /** The queued and running uploads. */
    unfinished: (): NewUpload[] =>
      $uploads
        .get()
        .filter(isBusy)
        .flatMap(({ id }) => sources.get(id) ?? []),

    /** Cancels queued and running uploads; completed ones are unaffected. */
    cancel(ids: readonly string[]) {
      const wanted = new Set(ids);
      for (const upload of $uploads.get()) if (wanted.has(upload.id)) cancelOne(upload);
    },

    retry(ids: readonly string[]) {
      const wanted = new Set(ids);
      for (const id of ids) unreachableTries.delete(id);
      retryWhere((upload) => wanted.has(upload.id));
    },

    /** Removes completed and failed rows. */
    clear(ids: readonly string[] = $uploads.get().map((upload) => upload.id)) {
      const wanted = new Set(ids);
      const ended = $uploads
        .get()
        .filter(({ id, status }) => wanted.has(id) && (status === 'completed' || status === 'error'));
      removeRows(new Set(ended.map((upload) => upload.id)));
    },

    /** Interrupts running uploads and starts no more until `resume`. They stay queued. */
    hold(reason: Hold) {
      $hold.set(reason);
      for (const abort of running.values()) abort.abort(HELD);
    },

    /** Continues after a hold. */
    resume,

    /** Subscribes to completed uploads. @returns unsubscribe. */
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
