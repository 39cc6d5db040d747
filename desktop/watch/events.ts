import type { FSWatcher } from 'node:fs';
import { watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Watches per watched folder; beyond that only the periodic scan finds changes. */
const MAX_WATCHES = 4000;

/**
 * Reports changed folders. A network drive may report nothing and events can be lost, so periodic scans are
 * needed as well. On Windows and macOS one recursive watch covers all sub-folders; elsewhere each folder has
 * its own.
 */
export function createEvents(root: string, deep: boolean, changed: (folder: string) => void) {
  const watches = new Map<string, FSWatcher>();
  const recursiveSupported = process.platform === 'win32' || process.platform === 'darwin';

  function add(folder: string, recursive: boolean): void {
    if (watches.has(folder) || watches.size >= MAX_WATCHES) return;
    try {
      const watcher = watch(folder, { recursive, persistent: true }, (_kind, name) =>
        changed(recursive && name !== null ? dirname(join(folder, name)) : folder),
      );
      watcher.on('error', () => drop(folder));
      watches.set(folder, watcher);
    } catch {
      // A folder without events is still scanned.
    }
  }
  function drop(folder: string): void {
    watches.get(folder)?.close();
    watches.delete(folder);
  }

  return {
    /** Starts to watch a folder, unless the watch of the root covers it. */
    watchFolder(folder: string): void {
      if (folder === root) add(root, recursiveSupported && deep);
      else if (!recursiveSupported) add(folder, false);
    },
    /** Ends the watches of folders that no longer exist. */
    prune(folders: ReadonlyMap<string, unknown>): void {
      for (const known of watches.keys()) if (!folders.has(known)) drop(known);
    },
    /** Whether changes are reported. */
    live: () => watches.has(root),
    close(): void {
      for (const folder of watches.keys()) drop(folder);
    },
  };
}
