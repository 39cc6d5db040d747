import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { createLinks } from './pairing/link.ts';
import { createPairing } from './pairing/pairing.ts';
import type { Keychain, Seal } from './pairing/tokens.ts';
import { createTokens } from './pairing/tokens.ts';
import { createAbandoned } from './queue/abandoned.ts';
import { openQueue } from './queue/database.ts';
import type { QueuedFile } from './queue/files.ts';
import { createFiles } from './queue/files.ts';
import { createFolders } from './queue/folders.ts';
import { createLog } from './queue/log.ts';
import { createRestored } from './queue/restored.ts';
import { createSettings } from './queue/settings.ts';
import { createVaults } from './queue/vaults.ts';
import { closeConnections } from './upload/http.ts';
import { createPace } from './upload/pace.ts';
import { createSender } from './upload/sender.ts';
import type { Program } from './upload/vault-client.ts';
import type { Intervals } from './watch/watcher.ts';
import { createWatcher } from './watch/watcher.ts';

/** Ms between two questions to a vault whether it was restored from a backup. */
const CHECK_MS = 10 * 60_000;

interface EngineOptions {
  /** The program's data folder; created when missing. */
  dir: string;
  program: Program;
  seal?: Seal;
  keychain?: Keychain;
  intervals?: Partial<Intervals>;
  /** Ms before a vault on hold is contacted again for the first time. */
  retryMs?: number;
}

/** The program without its window: watcher, queue and sender. Only one may run per data folder. */
export async function startEngine({ dir, program, seal, keychain, intervals, retryMs }: EngineOptions) {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const drops = join(dir, 'dropped');
  await mkdir(drops, { recursive: true, mode: 0o700 });
  /** Only copies of dropped files are the program's own; whatever else it has queued is the user's. */
  const isOwnCopy = ({ lies_in }: Pick<QueuedFile, 'lies_in'>) => resolve(lies_in) === resolve(drops);
  const db = openQueue(join(dir, 'queue.db'));
  const [vaults, folders, files] = [createVaults(db), createFolders(db), createFiles(db)];
  const [settings, log] = [createSettings(db), createLog(db)];
  const tokens = createTokens(join(dir, 'keys'), { ...(seal && { seal }), ...(keychain && { keychain }) });
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const pace = createPace(() => settings.get('speed_limit'));

  const pairing = createPairing({
    vaults,
    tokens,
    links: createLinks(),
    log,
    program,
    name: hostname(),
    onPaired(vault) {
      sender.holds.forget(vault.id);
      sender.sendQueued();
      watcher.scanNow();
      void sender.checkVaults();
    },
    onEnded: (vault) => sender.holds.forget(vault),
  });
  const sender = createSender({
    files,
    abandoned: createAbandoned(db),
    restored: createRestored(db),
    folders,
    vaults,
    settings,
    log,
    pace,
    isOwnCopy,
    client: (vault) => pairing.client(vault),
    changed,
    settle: () => watcher.settle(),
    unreachableFolders: () => watcher.unreachableFolders(),
    scanNow: () => watcher.scanNow(),
    ...(retryMs !== undefined && { retryMs }),
  });
  const watcher = createWatcher({
    files,
    folders,
    ready: sender.sendQueued,
    changed,
    ...(intervals && { intervals }),
  });

  for (const vault of vaults.all()) {
    const token = await tokens.load(vault.id);
    if (token === null && !vault.ended)
      log.add('problem', `${vault.firm_name}: connect this computer again; its key cannot be read.`);
  }
  watcher.applyFolders();
  sender.sendQueued();
  void sender.checkVaults();
  const checking = setInterval(() => void sender.checkVaults(), CHECK_MS).unref();

  return {
    dir,
    drops,
    program,
    vaults,
    folders,
    files,
    settings,
    log,
    pace,
    pairing,
    sender,
    watcher,
    /** Subscribes to changes of the visible state. @returns unsubscribes. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    changed,

    /** Disconnects from a vault. */
    async disconnect(vault: number): Promise<void> {
      await sender.betweenUploads({ vault }, () => pairing.end(vault));
      watcher.applyFolders();
      changed();
    },
    async pause(paused: boolean): Promise<void> {
      settings.set('paused', paused);
      if (paused) await sender.abort();
      else sender.sendQueued();
      changed();
    },
    retry(id?: number): void {
      files.retry(id);
      watcher.settle();
      changed();
    },
    /**
     * Removes a file from the queue. A file in a watched folder stays on disk, and returns to the queue when it
     * changes; the copy of a dropped file is deleted.
     */
    async skip(id: number): Promise<void> {
      await sender.betweenUploads({ file: id }, async () => {
        const file = files.find(id);
        if (!file || file.state === 'done') return;
        if (file.folder === null) {
          if (isOwnCopy(file)) await rm(file.path, { force: true });
          files.forget(id);
        } else files.skip(id);
        if (sender.holds.of(file.vault)?.hold === 'full') void sender.holds.ask(file.vault);
      });
    },
    async stop(): Promise<void> {
      clearInterval(checking);
      watcher.stop();
      await sender.stop();
      closeConnections();
      db.close();
    },
  };
}
export type Engine = Awaited<ReturnType<typeof startEngine>>;
