import type { Files } from '#desktop/queue/files.ts';
import type { Folders, WatchedFolder } from '#desktop/queue/folders.ts';
import { createEvents } from './events.ts';
import { createExclusion } from './patterns.ts';
import { isFolder, checkFile } from './ready.ts';
import { scan } from './scan.ts';

/** Intervals in ms. */
export interface Intervals {
  /** Between two checks of a file that may still be written. */
  settle: number;
  /** Delay after an event, to combine many events into one scan. */
  debounce: number;
  /** Minimum between two scans without an event: with and without working event notification. */
  scanWithEvents: number;
  scanWithoutEvents: number;
  /** Between two full scans, which also read unchanged folders. */
  scanFull: number;
}
const INTERVALS: Intervals = {
  settle: 2000,
  debounce: 300,
  scanWithEvents: 60_000,
  scanWithoutEvents: 5000,
  scanFull: 30 * 60_000,
};
/** A scan may take at most 1/1000 of the time, so that 50,000 files cost next to nothing. */
const SCAN_REST_FACTOR = 1000;

export const GROWING = 'Still being written. It is sent when it is complete.';
export const LOCKED = 'Open in another program. It is sent when that closes it.';
export const UNREACHABLE = 'This folder cannot be reached. Its files are sent when it is back.';
export const NOT_NOTED =
  'New files in it cannot be noted, perhaps since the disk of this computer is full. What waits already is still sent.';

/** Watches folders and holds each file back until it is complete. `ready` is called when there is something to send. */
export function createWatcher(dependencies: {
  files: Files;
  folders: Folders;
  ready: () => void;
  changed: () => void;
  intervals?: Partial<Intervals>;
}) {
  const { files, folders } = dependencies;
  const rhythm = { ...INTERVALS, ...dependencies.intervals };
  const watched = new Map<number, ReturnType<typeof watchFolder>>();
  const unreachable = new Map<number, string>();
  /** Folders that were scanned, but whose files could not be recorded in the queue. */
  const unnoted = new Set<number>();
  let settling: NodeJS.Timeout | undefined;
  let stopped = false;

  function watchFolder(folder: WatchedFolder) {
    const ending = new AbortController();
    let known: Map<string, number> | undefined;
    /** Folders with events since the last scan; their modification times may lag behind. */
    const dirty = new Set<string>();
    let lastFull = -Infinity;
    /** Duration of the last scan of each kind, in ms. */
    let [costOfAll, cost] = [0, 0];
    let timer: NodeJS.Timeout | undefined;
    let due = Infinity;
    let running = false;
    let repeat = false;
    const deep = folder.sub_folders !== 'none';
    const patterns = createExclusion(folder.leave_out);
    const events = createEvents(folder.path, deep, (changedFolder) => {
      dirty.add(changedFolder);
      schedule(rhythm.debounce);
    });

    function schedule(ms: number): void {
      if (ending.signal.aborted) return;
      if (running) return void (repeat = true);
      const time = performance.now() + ms;
      if (timer && time >= due) return;
      clearTimeout(timer);
      due = time;
      timer = setTimeout(() => void runScan(), ms);
    }

    async function runScan(): Promise<void> {
      timer = undefined;
      running = true;
      repeat = false;
      const started = performance.now();
      for (const subPath of dirty) known?.set(subPath, NaN);
      dirty.clear();
      const isFull = started - lastFull >= Math.max(rhythm.scanFull, costOfAll * SCAN_REST_FACTOR);
      try {
        let isNoted = true;
        const note = (work: () => number) => {
          try {
            if (work() > 0) settle();
          } catch {
            // The queue cannot be written, for example because the disk is full: everything is scanned again.
            isNoted = false;
          }
        };
        const { folders: seen } = await scan({
          path: folder.path,
          deep,
          isExcluded: patterns,
          ...(!isFull && known && { unchanged: known }),
          signal: ending.signal,
          onEnter: events.watchFolder,
          onRead: (place, names) => note(() => files.releaseMissing(folder.id, place, names)),
          onFiles(batch) {
            const flat =
              folder.sub_folders === 'keep' ? batch : batch.map((file) => ({ ...file, sub_path: '' }));
            note(() => files.record(folder, flat));
          },
        });
        known = isNoted ? seen : undefined;
        if (!isNoted) lastFull = -Infinity;
        else if (isFull) lastFull = started;
        events.prune(seen);
        const isBack = unreachable.delete(folder.id);
        const wasNoted = !unnoted.delete(folder.id);
        if (!isNoted) unnoted.add(folder.id);
        if (isBack || isNoted !== wasNoted) dependencies.changed();
        if (isBack) dependencies.ready();
      } catch {
        if (ending.signal.aborted) return;
        // The share is out of reach: its files are neither deleted nor changed.
        known = undefined;
        lastFull = -Infinity;
        events.close();
        if (!unreachable.has(folder.id)) {
          unreachable.set(folder.id, UNREACHABLE);
          dependencies.changed();
        }
      } finally {
        running = false;
      }
      const duration = performance.now() - started;
      const isReached = !unreachable.has(folder.id);
      // The wait for a share that does not answer says nothing about how long its scan takes once it is back.
      if (isReached && isFull) costOfAll = duration;
      else if (isReached) cost = duration;
      const pause = events.live() ? rhythm.scanWithEvents : rhythm.scanWithoutEvents;
      if (repeat) schedule(Math.max(rhythm.debounce, duration));
      else if (!isReached) schedule(Math.min(Math.max(pause, duration), rhythm.scanWithEvents));
      else if (unnoted.has(folder.id)) schedule(Math.max(rhythm.scanWithoutEvents, costOfAll * 10));
      else schedule(Math.max(pause, cost * SCAN_REST_FACTOR));
    }
    schedule(0);
    return {
      folder,
      scanNow: () => schedule(0),
      close() {
        ending.abort();
        clearTimeout(timer);
        events.close();
      },
    };
  }

  /** Checks settling files until there are none. */
  function settle(): void {
    if (settling || stopped) return;
    settling = setTimeout(() => void checkAndRepeat(), rhythm.settle);
  }
  async function checkAndRepeat(): Promise<void> {
    let again = true;
    try {
      again = await checkSettling();
    } catch {
      // The queue cannot be written, for example because the disk is full: the rest is checked again.
      dependencies.ready();
    }
    settling = undefined;
    if (again) settle();
  }
  /** @returns whether files are still settling. */
  async function checkSettling(): Promise<boolean> {
    let anyComplete = false;
    const before = Date.now() - rhythm.settle * 0.9;
    for (let batch = files.settling(before); batch.length > 0 && !stopped; batch = files.settling(before)) {
      for (const file of batch) {
        if (stopped) return false;
        const { is, now } = await checkFile(file);
        const folder = file.folder === null ? undefined : folders.find(file.folder);
        if (is === 'gone' && folder && !(await isFolder(folder.path)))
          files.recheck(file.id, now, UNREACHABLE);
        else if (is === 'gone') files.forget(file.id);
        else if (is === 'whole') {
          files.markComplete(file.id);
          anyComplete = true;
        } else files.recheck(file.id, now, is === 'locked' ? LOCKED : GROWING);
      }
      if (anyComplete) dependencies.ready();
      dependencies.changed();
    }
    return !stopped && files.settling(Infinity, 1).length > 0;
  }

  return {
    /** Applies the configured folders; called after each change of the configuration. */
    applyFolders(): void {
      const configured = new Map(folders.all().map((folder) => [folder.id, folder]));
      for (const [id, watching] of watched) {
        const now = configured.get(id);
        if (
          now &&
          JSON.stringify({ ...now, trouble: null }) === JSON.stringify({ ...watching.folder, trouble: null })
        )
          continue;
        watching.close();
        watched.delete(id);
        unreachable.delete(id);
        unnoted.delete(id);
      }
      for (const folder of configured.values())
        if (!watched.has(folder.id)) watched.set(folder.id, watchFolder(folder));
      settle();
    },
    /** Scans now. */
    scanNow(): void {
      for (const watch of watched.values()) watch.scanNow();
    },
    settle,
    /** Folders that are out of reach. */
    unreachableFolders: (): number[] => [...unreachable.keys()],
    /** Why new files of a folder are not found; undefined while they are. */
    problemOf: (folder: number): string | undefined =>
      unreachable.get(folder) ?? (unnoted.has(folder) ? NOT_NOTED : undefined),
    stop(): void {
      stopped = true;
      clearTimeout(settling);
      for (const watch of watched.values()) watch.close();
    },
  };
}
