import { atom } from 'nanostores';
import * as t from '#messages/uploads.ts';
import type { Pace } from './pace.ts';
import { advance, start, timeLeft } from './pace.ts';
import type { Left, NewUpload, Send, Hold, Upload, UploadStatus, Verdict } from './record.ts';
import { CANCELLED, UploadError, isBusy, isRefused, wasKnown } from './record.ts';

export const MOST_AT_ONCE = 3;
/** Milliseconds a completed row stays in the panel. */
export const DONE_STAYS = 5000;

/** Milliseconds until an upload that found no server is tried again: together more than one needs to start. */
const AGAIN = [1000, 2000, 4000, 8000, 15_000, 30_000];
/** Milliseconds between two reports of progress: more would only make the page draw. */
const REPORT_EVERY = 200;

const NOTHING_LEFT: Left = { files: 0, done: 0, known: 0, bytes: 0 };
const ALREADY_THERE = t.alreadyThere;

/** The reason of an abort that is no cancelling. */
export const HELD = 'held';

interface Deps {
  send: Send;
  /** Told of a file that is cancelled while it waits, of which a part may have been sent before. */
  forget?: (source: NewUpload) => void;
  /** Whether somebody is reading a row that would go: then it stays a while longer. */
  isRead?: () => boolean;
  now?: () => number;
  later?: (run: () => void, milliseconds: number) => void;
}

/** The uploads of this tab: a plain store outside any view, so that they go on while pages change. */
export function createQueue({
  send,
  forget,
  isRead = () => false,
  now = Date.now,
  later = setTimeout,
}: Deps) {
  const $uploads = atom<readonly Upload[]>([]);
  const $hold = atom<Hold | null>(null);
  const $left = atom<Left>(NOTHING_LEFT);
  const sources = new Map<string, NewUpload>();
  const running = new Map<string, AbortController>();
  const listeners = new Set<(upload: Upload) => void>();
  /** How often an upload found no server since it last got any further, in bytes that stayed there. */
  const missed = new Map<string, { times: number; there: number }>();
  let lastId = 0;

  const find = (id: string) => $uploads.get().find((upload) => upload.id === id);
  const patch = (id: string, change: Partial<Upload>) =>
    $uploads.set($uploads.get().map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  /** Takes them away without a trace. */
  const withdraw = (ids: ReadonlySet<string>) => {
    for (const id of ids) {
      sources.delete(id);
      missed.delete(id);
    }
    $uploads.set($uploads.get().filter((upload) => !ids.has(upload.id)));
  };
  const drop = (ids: ReadonlySet<string>) => {
    const left = { ...$left.get() };
    for (const upload of $uploads.get()) {
      if (!ids.has(upload.id) || isRefused(upload)) continue;
      left.files += 1;
      left.bytes += upload.size;
      if (upload.status === 'completed') left.done += 1;
      if (wasKnown(upload)) left.known += 1;
    }
    $left.set(left);
    withdraw(ids);
  };
  const leaves = (upload: Upload | undefined) =>
    upload?.status === 'completed' || upload?.error === CANCELLED;
  /** Those that leave together: a folder's row goes when all of it is over. */
  const together = ({ id, batch }: Upload): readonly Upload[] =>
    $uploads.get().filter((other) => (batch ? other.batch?.id === batch.id : other.id === id));
  const dropLater = (upload: Upload) => {
    if (!together(upload).some(isBusy)) {
      later(() => {
        const group = together(upload);
        if (group.length > 0 && isRead()) dropLater(upload);
        else if (!group.some(isBusy)) drop(new Set(group.filter(leaves).map(({ id }) => id)));
      }, DONE_STAYS);
    }
  };

  function pump() {
    if ($hold.get() !== null) return;
    for (const upload of $uploads.get()) {
      if (running.size >= MOST_AT_ONCE) return;
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
    if (!isBusy(upload)) dropLater(upload);
  }

  function fail(id: string, error: unknown) {
    const known = error instanceof UploadError ? error : new UploadError(t.failed);
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
    $left,

    /** @returns their ids. Those that are being prepared wait for `release`. */
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
      for (const upload of added) if (leaves(upload)) dropLater(upload);
      pump();
      return added.map(({ id }) => id);
    },

    /** Lets prepared ones go on; what is to be skipped goes. */
    release(ids: readonly string[], verdicts: ReadonlyMap<string, Verdict>) {
      const prepared = new Set(ids);
      withdraw(new Set(ids.filter((id) => verdicts.get(id) === 'skip')));
      const there: string[] = [];
      const go = (upload: Upload): Upload => {
        const source = sources.get(upload.id);
        if (!prepared.has(upload.id) || !source) return upload;
        const verdict = verdicts.get(upload.id) ?? {};
        if (verdict !== 'skip') sources.set(upload.id, { ...source, ...verdict });
        const ready = { ...upload, preparing: false };
        if (verdict === 'skip' || !verdict.alreadyThere || upload.status !== 'queued') return ready;
        there.push(upload.id);
        return { ...ready, status: 'completed', note: ALREADY_THERE, progress: 100, loaded: upload.size };
      };
      $uploads.set($uploads.get().map(go));
      for (const id of there) dropLater(find(id)!);
      pump();
    },

    /** Takes them away as if they had never been chosen. */
    withdraw: (ids: readonly string[]) => withdraw(new Set(ids)),

    /** What was chosen and is not there yet. */
    unfinished: (): NewUpload[] =>
      $uploads
        .get()
        .filter(isBusy)
        .flatMap(({ id }) => sources.get(id) ?? []),

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
