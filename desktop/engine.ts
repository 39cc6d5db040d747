import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createLinks } from './pairing/link.ts';
import { createPairing } from './pairing/pairing.ts';
import type { Keychain, Seal } from './pairing/tokens.ts';
import { createTokens } from './pairing/tokens.ts';
import { openQueue } from './queue/database.ts';
import { createFiles } from './queue/files.ts';
import { createFolders } from './queue/folders.ts';
import { createLog } from './queue/log.ts';
import { createSettings } from './queue/settings.ts';
import { createVaults } from './queue/vaults.ts';
import { hangUp } from './upload/http.ts';
import { createPace } from './upload/pace.ts';
import { createSender } from './upload/sender.ts';
import type { Program } from './upload/vault-client.ts';
import type { Rhythm } from './watch/watcher.ts';
import { createWatcher } from './watch/watcher.ts';

export interface EngineOptions {
  /** The program's own folder, which is made where it is not there. */
  dir: string;
  program: Program;
  seal?: Seal;
  keychain?: Keychain;
  rhythm?: Partial<Rhythm>;
  /** Milliseconds before a held vault is asked again for the first time. */
  patience?: number;
}

/** All that the program does without a window: it watches, keeps the queue, and sends. One of it at a time for a folder. */
export async function startEngine({ dir, program, seal, keychain, rhythm, patience }: EngineOptions) {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const drops = join(dir, 'dropped');
  await mkdir(drops, { recursive: true, mode: 0o700 });
  const db = openQueue(join(dir, 'queue.db'));
  const [vaults, folders, files] = [createVaults(db), createFolders(db), createFiles(db)];
  const [settings, log] = [createSettings(db), createLog(db)];
  const tokens = createTokens(join(dir, 'keys'), { ...(seal && { seal }), ...(keychain && { keychain }) });
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const told of listeners) told();
  };
  const pace = createPace(() => settings.get('speed_limit'));

  const pairing = createPairing({
    vaults,
    tokens,
    links: createLinks(),
    log,
    program,
    name: hostname(),
    paired(vault) {
      sender.holds.forget(vault.id);
      sender.go();
      watcher.soon();
    },
    async ended(vault) {
      await sender.halt({ vault });
      sender.holds.forget(vault);
    },
  });
  const sender = createSender({
    files,
    folders,
    vaults,
    settings,
    log,
    pace,
    client: (vault) => pairing.client(vault),
    changed,
    settle: () => watcher.settle(),
    away: () => watcher.allAway(),
    lookNow: () => watcher.soon(),
    ...(patience !== undefined && { patience }),
  });
  const watcher = createWatcher({ files, folders, ready: sender.go, changed, ...(rhythm && { rhythm }) });

  for (const vault of vaults.all()) {
    const token = await tokens.load(vault.id);
    if (token === null && !vault.ended)
      log.add('problem', `${vault.firm_name}: connect this computer again; its key cannot be read.`);
  }
  await sender.tidy();
  watcher.follow();
  sender.go();

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
    /** Tells of each change of what there is to see. @returns what ends that. */
    onChange(told: () => void): () => void {
      listeners.add(told);
      return () => void listeners.delete(told);
    },
    changed,

    /** Disconnects from a vault. */
    async disconnect(vault: number): Promise<void> {
      await pairing.end(vault);
      watcher.follow();
      changed();
    },
    async pause(paused: boolean): Promise<void> {
      settings.set('paused', paused);
      if (paused) await sender.halt();
      else sender.go();
      changed();
    },
    retry(id?: number): void {
      files.retry(id);
      watcher.settle();
      changed();
    },
    /** Takes a file out of the queue. One that is watched stays where it is, and comes again when it changes. */
    async leaveOut(id: number): Promise<void> {
      await sender.halt({ file: id });
      const file = files.find(id);
      if (!file || file.state === 'done') return;
      if (file.upload_url)
        await pairing
          .client(file.vault)
          ?.cancel(file.upload_url)
          .catch(() => {});
      if (file.folder === null) {
        await rm(file.path, { force: true });
        files.forget(id);
      } else files.leaveOut(id);
      sender.go();
      changed();
    },
    async stop(): Promise<void> {
      watcher.stop();
      await sender.stop();
      hangUp();
      db.close();
    },
  };
}
export type Engine = Awaited<ReturnType<typeof startEngine>>;
