import type { Files } from '#desktop/queue/files.ts';
import type { Folders, WatchedFolder } from '#desktop/queue/folders.ts';
import { createEvents } from './events.ts';
import { leavesOut } from './patterns.ts';
import { isThere, look } from './ready.ts';
import { scan } from './scan.ts';

/** Milliseconds of each. */
export interface Rhythm {
  /** Between two looks at a file that may still be written. */
  settle: number;
  /** After an event, so that a thousand of them are one scan. */
  gather: number;
  /** The least between two scans without an event: where events come, and where they do not. */
  scanBesides: number;
  scanOnly: number;
  /** Between two scans that look at every file, changed folder or not. */
  scanAll: number;
}
export const RHYTHM: Rhythm = {
  settle: 2000,
  gather: 300,
  scanBesides: 60_000,
  scanOnly: 5000,
  scanAll: 30 * 60_000,
};
/** A scan may take this part of the time at most, so that 50,000 files cost next to nothing: 0.1 %. */
const REST = 1000;

export const GROWING = 'Still being written. It is sent when it is complete.';
export const LOCKED = 'Open in another program. It is sent when that closes it.';
export const AWAY = 'This folder cannot be reached. Its files are sent when it is back.';

/** Watches the folders, and lets each file wait until it is whole. `ready` is told when there is something to send. */
export function createWatcher(use: {
  files: Files;
  folders: Folders;
  ready: () => void;
  changed: () => void;
  rhythm?: Partial<Rhythm>;
}) {
  const { files, folders } = use;
  const rhythm = { ...RHYTHM, ...use.rhythm };
  const watched = new Map<number, ReturnType<typeof watchOne>>();
  const away = new Map<number, string>();
  let settling: NodeJS.Timeout | undefined;
  let stopped = false;

  function watchOne(folder: WatchedFolder) {
    const ending = new AbortController();
    let known: Map<string, number> | undefined;
    /** Folders that changed since the last scan began; their times may be told late. */
    const dirty = new Set<string>();
    let lastAll = -Infinity;
    /** Milliseconds that the last scan of each kind took. */
    let [costOfAll, cost] = [0, 0];
    let timer: NodeJS.Timeout | undefined;
    let due = Infinity;
    let running = false;
    let again = false;
    const deep = folder.sub_folders !== 'none';
    const patterns = leavesOut(folder.leave_out);
    const events = createEvents(folder.path, deep, (changedFolder) => {
      dirty.add(changedFolder);
      plan(rhythm.gather);
    });

    function plan(ms: number): void {
      if (ending.signal.aborted) return;
      if (running) return void (again = true);
      const at = performance.now() + ms;
      if (timer && at >= due) return;
      clearTimeout(timer);
      due = at;
      timer = setTimeout(() => void go(), ms);
    }

    async function go(): Promise<void> {
      timer = undefined;
      running = true;
      again = false;
      const started = performance.now();
      for (const one of dirty) known?.set(one, NaN);
      dirty.clear();
      const all = started - lastAll >= Math.max(rhythm.scanAll, costOfAll * REST);
      try {
        const { folders: seen } = await scan({
          path: folder.path,
          deep,
          leftOut: patterns,
          ...(!all && known && { unchanged: known }),
          signal: ending.signal,
          entering: events.enter,
          holds: (place, names) => files.holds(folder.id, place, names),
          found(batch) {
            const flat =
              folder.sub_folders === 'keep' ? batch : batch.map((one) => ({ ...one, sub_path: '' }));
            if (files.see(folder, flat) > 0) settle();
          },
        });
        known = seen;
        if (all) lastAll = started;
        events.keep(seen);
        if (away.delete(folder.id)) {
          use.changed();
          use.ready();
        }
      } catch {
        if (ending.signal.aborted) return;
        // A share that is away: what it held is neither gone nor changed.
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
      const pause = events.live() ? rhythm.scanBesides : rhythm.scanOnly;
      plan(again ? Math.max(rhythm.gather, took) : Math.max(pause, cost * REST));
    }
    plan(0);
    return {
      folder,
      soon: () => plan(0),
      close() {
        ending.abort();
        clearTimeout(timer);
        events.close();
      },
    };
  }

  /** Looks at what may still be written, as long as there is any. */
  function settle(): void {
    if (settling || stopped) return;
    settling = setTimeout(() => void lookAgain().catch(() => {}), rhythm.settle);
  }
  async function lookAgain(): Promise<void> {
    let any = false;
    const before = Date.now() - rhythm.settle * 0.9;
    for (let some = files.settling(before); some.length > 0 && !stopped; some = files.settling(before)) {
      for (const file of some) {
        if (stopped) return;
        const { is, now } = await look(file);
        const folder = file.folder === null ? undefined : folders.find(file.folder);
        if (is === 'gone' && folder && !(await isThere(folder.path))) files.looked(file.id, now, AWAY);
        else if (is === 'gone') files.forget(file.id);
        else if (is === 'whole') {
          files.whole(file.id);
          any = true;
        } else files.looked(file.id, now, is === 'locked' ? LOCKED : GROWING);
      }
      if (any) use.ready();
      use.changed();
    }
    settling = undefined;
    if (files.settling(Infinity, 1).length > 0) settle();
  }

  return {
    /** Follows what the person has chosen; called again after each change of it. */
    follow(): void {
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
    /** Looks now. */
    soon(): void {
      for (const one of watched.values()) one.soon();
    },
    settle,
    /** Folders that cannot be reached. */
    allAway: (): number[] => [...away.keys()],
    /** Why a folder's files do not come; undefined while it is there. */
    away: (folder: number): string | undefined => away.get(folder),
    stop(): void {
      stopped = true;
      clearTimeout(settling);
      for (const one of watched.values()) one.close();
    },
  };
}
export type Watcher = ReturnType<typeof createWatcher>;
