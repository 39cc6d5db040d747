import { atom } from 'nanostores';
import * as t from '#messages/uploads.ts';
import type { Pace } from './pace.ts';
import { advance, start, timeLeft } from './pace.ts';
import type { NewUpload, RemovedTotals, Send, Hold, Upload, UploadStatus, Verdict } from './record.ts';
import { CANCELLED, UploadError, isBusy, isCopy, isRefused, wasAlreadyThere } from './record.ts';

export const MAX_CONCURRENT = 3;
/** Milliseconds for which a completed row stays in the panel. */
const COMPLETED_ROW_MS = 5000;

/** Milliseconds until an upload is retried when the server is unreachable; together longer than a server takes to start. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];
/** Milliseconds between two reports of progress; more reports would only make the page render. */
const REPORT_INTERVAL_MS = 200;

const NO_TOTALS: RemovedTotals = { files: 0, completed: 0, alreadyThere: 0, copies: 0, bytes: 0 };
const ALREADY_THERE = t.alreadyThere;

/** The reason of an abort by which an upload is paused and not cancelled. */
export const HELD = 'held';

interface Deps {
  send: Send;
  /** Called for a file that is cancelled while it waits, or removed after it failed, part of which may have been sent before. */
  forget?: (source: NewUpload) => void;
  /** Whether the user points at a row that would be removed: then it stays longer. */
  isPointedAt?: () => boolean;
  now?: () => number;
  later?: (run: () => void, milliseconds: number) => void;
}

/** The uploads of this tab: a store outside any view, so that uploads continue while pages change. */
export function createQueue({
  send,
  forget,
  isPointedAt = () => false,
  now = Date.now,
  later = setTimeout,
}: Deps) {
  const $uploads = atom<readonly Upload[]>([]);
  const $hold = atom<Hold | null>(null);
  const $removedTotals = atom<RemovedTotals>(NO_TOTALS);
  const sources = new Map<string, NewUpload>();
  const running = new Map<string, AbortController>();
  const listeners = new Set<(upload: Upload) => void>();
  /** Per upload, how often the server was unreachable since it last had more bytes of the file (`storedBytes`). */
  const unreachable = new Map<string, { times: number; storedBytes: number }>();
  let lastId = 0;
  let lastAct = 0;

  const find = (id: string) => $uploads.get().find((upload) => upload.id === id);
  const patch = (id: string, change: Partial<Upload>) =>
    $uploads.set($uploads.get().map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  /** Removes uploads without counting them in `$removedTotals`. */
  const withdraw = (ids: ReadonlySet<string>) => {
    for (const id of ids) {
      sources.delete(id);
      unreachable.delete(id);
    }
    $uploads.set($uploads.get().filter((upload) => !ids.has(upload.id)));
  };
  const drop = (ids: ReadonlySet<string>) => {
    const totals = { ...$removedTotals.get() };
    for (const upload of $uploads.get()) {
      if (!ids.has(upload.id) || isRefused(upload) || upload.folder) continue;
      totals.files += 1;
      totals.bytes += upload.size;
      if (upload.status === 'completed') totals.completed += 1;
      if (wasAlreadyThere(upload)) totals.alreadyThere += 1;
      if (isCopy(upload)) totals.copies += 1;
    }
    $removedTotals.set(totals);
    withdraw(ids);
  };
  const isRemovable = (upload: Upload | undefined) =>
    upload?.status === 'completed' || upload?.error === CANCELLED;
  /** The uploads that are removed together: the row of a folder is removed when all its files are finished. */
  const groupOf = ({ id, batch }: Upload): readonly Upload[] =>
    $uploads.get().filter((other) => (batch ? other.batch?.id === batch.id : other.id === id));
  const dropLater = (upload: Upload) => {
    if (!groupOf(upload).some(isBusy)) {
      later(() => {
        const group = groupOf(upload);
        if (group.length > 0 && isPointedAt()) dropLater(upload);
        else if (!group.some(isBusy)) drop(new Set(group.filter(isRemovable).map(({ id }) => id)));
      }, COMPLETED_ROW_MS);
    }
  };

  function pump() {
    if ($hold.get() !== null) return;
    for (const upload of $uploads.get()) {
      if (running.size >= MAX_CONCURRENT) return;
      if (upload.status === 'queued' && !upload.preparing && !running.has(upload.id)) void run(upload);
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
      // The multipart encoding adds bytes to those of the file.
      const sent = Math.min(loaded, size);
      if (sent < size && now() - reported < REPORT_INTERVAL_MS) return;
      reported = now();
      pace = advance(pace, sent, now());
      const progress = size === 0 ? 0 : Math.min(99, Math.floor((sent * 100) / size));
      patch(id, { loaded: sent, progress, speed: pace.speed, eta: timeLeft(size - sent, pace.speed) });
    };
    try {
      const parentId = source.place ? await source.place() : source.parentId;
      abort.signal.throwIfAborted();
      sources.set(id, { ...source, parentId });
      const { file, clientId, extractZip = false, conflict = 'keep', versionOf = null } = source;
      const result = source.folder
        ? null
        : await send({
            file,
            clientId,
            parentId,
            extractZip,
            conflict,
            versionOf,
            again: startedAt !== null,
            signal: abort.signal,
            onProgress,
            onResumed(storedBytes) {
              pace = { ...start(now()), loaded: storedBytes };
              if (storedBytes > (unreachable.get(id)?.storedBytes ?? 0))
                unreachable.set(id, { times: 0, storedBytes });
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
    pump();
  }

  const requeue = (id: string) => patch(id, { status: 'queued', speed: null, eta: null });

  function settle(id: string, change: Partial<Upload>) {
    patch(id, change);
    const upload = find(id);
    if (!upload) return;
    if (upload.status === 'completed') for (const listener of listeners) listener(upload);
    if (!isBusy(upload)) dropLater(upload);
  }

  function fail(id: string, error: unknown) {
    const failure = error instanceof UploadError ? error : new UploadError(t.failed);
    const { hold, message, retryable } = failure;
    if (hold === 'unreachable') {
      const { times, storedBytes } = unreachable.get(id) ?? { times: 0, storedBytes: 0 };
      unreachable.set(id, { times: times + 1, storedBytes });
      const pause = RETRY_DELAYS_MS[times];
      if (pause !== undefined) return holdFor(id, hold, pause);
    } else if (hold) return holdFor(id, hold);
    settle(id, { status: 'error', error: message, retryable, speed: null, eta: null });
  }

  function holdFor(id: string, reason: Hold, pause?: number) {
    requeue(id);
    const held = $hold.get();
    // Other uploads that fail meanwhile are retried together with the first. One without an answer must not replace a hold that ends
    // with a sign-in or with the network: nothing would end it.
    if (held === reason || (held !== null && reason === 'unreachable')) return;
    if (pause !== undefined) later(() => $hold.get() === reason && resume(), pause);
    $hold.set(reason);
  }
  function resume() {
    $hold.set(null);
    pump();
  }

  const forgetPart = ({ id, startedAt }: Upload) => {
    const source = sources.get(id);
    if (source && startedAt !== null) forget?.(source);
  };
  const cancelOne = (upload: Upload) => {
    if (upload.status === 'uploading') running.get(upload.id)?.abort();
    if (upload.status !== 'queued') return;
    forgetPart(upload);
    settle(upload.id, { status: 'error', error: CANCELLED, retryable: true });
  };
  const retryWhere = (isSelected: (upload: Upload) => boolean) => {
    const requeued = (upload: Upload): Upload =>
      upload.status === 'error' && upload.retryable && isSelected(upload)
        ? { ...upload, status: 'queued', error: null, progress: 0, loaded: 0 }
        : upload;
    $uploads.set($uploads.get().map(requeued));
    pump();
  };

  return {
    $uploads,
    $hold,
    $removedTotals,

    /** Adds uploads; those in preparation wait for `release`. @returns their ids. */
    add(uploads: readonly NewUpload[], { preparing = false } = {}): string[] {
      if (!$uploads.get().some(isBusy)) $removedTotals.set(NO_TOTALS);
      lastAct += 1;
      const added = uploads.map((source): Upload => {
        const id = `upload-${(lastId += 1)}`;
        sources.set(id, source);
        return {
          id,
          act: lastAct,
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
          versionOf: source.versionOf ?? null,
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
      for (const upload of added) if (isRemovable(upload)) dropLater(upload);
      pump();
      return added.map(({ id }) => id);
    },

    /** Continues prepared uploads according to the verdicts; skipped ones are removed. */
    release(ids: readonly string[], verdicts: ReadonlyMap<string, Verdict>) {
      const prepared = new Set(ids);
      withdraw(new Set(ids.filter((id) => verdicts.get(id) === 'skip')));
      const alreadyThere: string[] = [];
      const released = (upload: Upload): Upload => {
        const source = sources.get(upload.id);
        if (!prepared.has(upload.id) || !source) return upload;
        const verdict = verdicts.get(upload.id) ?? {};
        if (verdict !== 'skip') sources.set(upload.id, { ...source, ...verdict });
        const ready = { ...upload, preparing: false };
        if (verdict === 'skip' || !verdict.alreadyThere || upload.status !== 'queued') return ready;
        alreadyThere.push(upload.id);
        return { ...ready, status: 'completed', note: ALREADY_THERE, progress: 100, loaded: upload.size };
      };
      $uploads.set($uploads.get().map(released));
      for (const id of alreadyThere) dropLater(find(id)!);
      pump();
    },

    /** Removes uploads as if they had never been added. */
    withdraw: (ids: readonly string[]) => withdraw(new Set(ids)),

    /** The uploads that are not complete. */
    unfinished: (): NewUpload[] =>
      $uploads
        .get()
        .filter(isBusy)
        .flatMap(({ id }) => sources.get(id) ?? []),

    /** Cancels queued and running uploads; completed ones are not changed. */
    cancel(ids: readonly string[]) {
      const idSet = new Set(ids);
      for (const upload of $uploads.get()) if (idSet.has(upload.id)) cancelOne(upload);
    },

    retry(ids: readonly string[]) {
      const idSet = new Set(ids);
      for (const id of ids) unreachable.delete(id);
      retryWhere((upload) => idSet.has(upload.id));
    },

    /** Removes completed and failed uploads. What was sent of a failed one is kept until then, so that Retry does not send it again. */
    clear(ids: readonly string[] = $uploads.get().map((upload) => upload.id)) {
      const idSet = new Set(ids);
      const finished = $uploads
        .get()
        .filter(({ id, status }) => idSet.has(id) && (status === 'completed' || status === 'error'));
      for (const upload of finished) if (upload.status === 'error') forgetPart(upload);
      drop(new Set(finished.map((upload) => upload.id)));
    },

    /** Pauses running uploads and starts no more until `resume`. */
    hold(reason: Hold) {
      $hold.set(reason);
      for (const abort of running.values()) abort.abort(HELD);
    },

    /** Continues after `hold`. */
    resume,

    /** @returns unsubscribe. */
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
