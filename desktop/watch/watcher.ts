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
  scanAll: number;
}
export const INTERVALS: Intervals = {
  settle: 2000,
  debounce: 300,
  scanWithEvents: 60_000,
  scanWithoutEvents: 5000,
  scanAll: 30 * 60_000,
};
/** A scan may take at most 1/1000 of the time, so that 50,000 files cost next to nothing. */
const SCAN_REST_FACTOR = 1000;

export const GROWING = 'Still being written. It is sent when it is complete.';
export const LOCKED = 'Open in another program. It is sent when that closes it.';
export const AWAY = 'This folder cannot be reached. Its files are sent when it is back.';

/** Watches folders and holds each file back until it is complete. `ready` is called when there is something to send. */
export function createWatcher(use: {
  files: Files;
  folders: Folders;
  ready: () => void;
  changed: () => void;
  intervals?: Partial<Intervals>;
}) {
  const { files, folders } = use;
  const rhythm = { ...INTERVALS, ...use.intervals };
  const watched = new Map<number, ReturnType<typeof watchOne>>();
  const away = new Map<number, string>();
  let settling: NodeJS.Timeout | undefined;
  let stopped = false;

  function watchOne(folder: WatchedFolder) {
    const ending = new AbortController();
    let known: Map<string, number> | undefined;
    /** Folders with events since the last scan; their modification times may lag behind. */
    const dirty = new Set<string>();
    let lastAll = -Infinity;
    /** Duration of the last scan of each kind, in ms. */
    let [costOfAll, cost] = [0, 0];
    let timer: NodeJS.Timeout | undefined;
    let due = Infinity;
    let running = false;
    let again = false;
    const deep = folder.sub_folders !== 'none';
    const patterns = createExclusion(folder.leave_out);
    const events = createEvents(folder.path, deep, (changedFolder) => {
      dirty.add(changedFolder);
      schedule(rhythm.debounce);
    });

    function schedule(ms: number): void {
      if (ending.signal.aborted) return;
      if (running) return void (again = true);
      const at = performance.now() + ms;
      if (timer && at >= due) return;
      clearTimeout(timer);
      due = at;
      timer = setTimeout(() => void runScan(), ms);
    }

    async function runScan(): Promise<void> {
      timer = undefined;
      running = true;
      again = false;
      const started = performance.now();
      for (const one of dirty) known?.set(one, NaN);
      dirty.clear();
      const all = started - lastAll >= Math.max(rhythm.scanAll, costOfAll * SCAN_REST_FACTOR);
      try {
        const { folders: seen } = await scan({
          path: folder.path,
          deep,
          isExcluded: patterns,
          ...(!all && known && { unchanged: known }),
          signal: ending.signal,
          onEnter: events.watchFolder,
          onRead: (place, names) => files.detachMissing(folder.id, place, names),
          onFiles(batch) {
            const flat =
              folder.sub_folders === 'keep' ? batch : batch.map((one) => ({ ...one, sub_path: '' }));
            if (files.record(folder, flat) > 0) settle();
          },
        });
        known = seen;
        if (all) lastAll = started;
        events.prune(seen);
        if (away.delete(folder.id)) {
          use.changed();
          use.ready();
        }
      } catch {
        if (ending.signal.aborted) return;
        // The share is out of reach: its files are neither deleted nor changed.
        known = undefined;
        lastAll = -Infinity;
        events.close();
        if (!away.has(folder.id)) {
          away.set(folder.id, AWAY);
          use.changed();
        }
      } finally {
        running = false;
      }
      const took = performance.now() - started;
      if (all) costOfAll = took;
      else cost = took;
      const pause = events.live() ? rhythm.scanWithEvents : rhythm.scanWithoutEvents;
      schedule(again ? Math.max(rhythm.debounce, took) : Math.max(pause, cost * SCAN_REST_FACTOR));
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
    settling = setTimeout(() => void checkSettling().catch(() => {}), rhythm.settle);
  }
  async function checkSettling(): Promise<void> {
    let any = false;
    const before = Date.now() - rhythm.settle * 0.9;
    for (let some = files.settling(before); some.length > 0 && !stopped; some = files.settling(before)) {
      for (const file of some) {
        if (stopped) return;
        const { is, now } = await checkFile(file);
        const folder = file.folder === null ? undefined : folders.find(file.folder);
        if (is === 'gone' && folder && !(await isFolder(folder.path))) files.recheck(file.id, now, AWAY);
        else if (is === 'gone') files.forget(file.id);
        else if (is === 'whole') {
          files.markComplete(file.id);
          any = true;
        } else files.recheck(file.id, now, is === 'locked' ? LOCKED : GROWING);
      }
      if (any) use.ready();
      use.changed();
    }
    settling = undefined;
    if (files.settling(Infinity, 1).length > 0) settle();
  }

  return {
    /** Applies the configured folders; called after each change of the configuration. */
    applyFolders(): void {
      const wanted = new Map(folders.all().map((folder) => [folder.id, folder]));
      for (const [id, one] of watched) {
        const now = wanted.get(id);
        if (
          now &&
          JSON.stringify({ ...now, trouble: null }) === JSON.stringify({ ...one.folder, trouble: null })
        )
          continue;
        one.close();
        watched.delete(id);
        away.delete(id);
      }
      for (const folder of wanted.values())
        if (!watched.has(folder.id)) watched.set(folder.id, watchOne(folder));
      settle();
    },
    /** Scans now. */
    soon(): void {
      for (const one of watched.values()) one.scanNow();
    },
    settle,
    /** Folders that are out of reach. */
    allAway: (): number[] => [...away.keys()],
    /** Why a folder is out of reach; undefined while it is there. */
    away: (folder: number): string | undefined => away.get(folder),
    stop(): void {
      stopped = true;
      clearTimeout(settling);
      for (const one of watched.values()) one.close();
    },
  };
}
export type Watcher = ReturnType<typeof createWatcher>;
