import type { FSWatcher } from 'node:fs';
import { watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders of one watched folder that are watched each by itself; past that the periodic scan has to do. */
const MOST = 4000;

/**
 * Tells which folders have changed. A network drive may tell nothing, and some events are lost: a scan comes beside it.
 * On Windows one watch is for all that is below; elsewhere each folder has its own.
 */
export function createEvents(root: string, deep: boolean, changed: (folder: string) => void) {
  const watches = new Map<string, FSWatcher>();
  const whole = process.platform === 'win32' || process.platform === 'darwin';

  function add(folder: string, recursive: boolean): void {
    if (watches.has(folder) || watches.size >= MOST) return;
    try {
      const one = watch(folder, { recursive, persistent: true }, (_kind, name) =>
        changed(recursive && name !== null ? dirname(join(folder, name)) : folder),
      );
      one.on('error', () => drop(folder));
      watches.set(folder, one);
    } catch {
      // What gives no events is scanned all the same.
    }
  }
  function drop(folder: string): void {
    watches.get(folder)?.close();
    watches.delete(folder);
  }

  return {
    /** Watches a folder from now on, where the watch of the root does not see it. */
    enter(folder: string): void {
      if (folder === root) add(root, whole && deep);
      else if (!whole) add(folder, false);
    },
    /** Ends the watches of folders that are not there any more. */
    keep(folders: ReadonlyMap<string, unknown>): void {
      for (const known of watches.keys()) if (!folders.has(known)) drop(known);
    },
    /** Whether changes are told at all. */
    live: () => watches.has(root),
    close(): void {
      for (const folder of watches.keys()) drop(folder);
    },
  };
}
