import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import type { Files, QueuedFile } from '#desktop/queue/files.ts';
import type { Folders } from '#desktop/queue/folders.ts';
import type { Log } from '#desktop/queue/log.ts';
import type { SettingsStore } from '#desktop/queue/settings.ts';
import type { Vaults } from '#desktop/queue/vaults.ts';
import { putAway } from '#desktop/watch/after.ts';
import { isGone, isThere } from '#desktop/watch/ready.ts';
import { AWAY } from '#desktop/watch/watcher.ts';
import { Changed } from './content.ts';
import { createHolds } from './holds.ts';
import { sendFile } from './one-file.ts';
import type { Pace } from './pace.ts';
import { Trouble } from './trouble.ts';
import type { VaultClient } from './vault-client.ts';

const AT_ONCE = 3;
/** Milliseconds before a file is tried again that only needs another try: the first time, and the most. */
const [AGAIN, AGAIN_MOST] = [2000, 5 * 60_000];
const TROUBLE_HERE = 'This file cannot be read at present. It is tried again.';

/** Sends what is whole, three at a time for each vault. A vault that takes nothing holds up only itself; a file, only itself. */
export function createSender(use: {
  files: Files;
  folders: Folders;
  vaults: Vaults;
  settings: SettingsStore;
  log: Log;
  pace: Pace;
  /** undefined while no token is at hand. */
  client: (vault: number) => VaultClient | undefined;
  changed: () => void;
  settle: () => void;
  /** Watched folders that cannot be reached, and what has them looked at. */
  away: () => number[];
  lookNow: () => void;
  /** Milliseconds before a held vault is asked again for the first time. */
  patience?: number;
}) {
  const { files, folders, vaults, settings, log, pace } = use;
  const under = new Map<
    number,
    { vault: number; stop: AbortController; done: Promise<void>; sent: number }
  >();
  /** When a file may be tried again, on a clock that nobody sets. */
  const later = new Map<number, { at: number; tries: number }>();
  const turns = new Map<string, Promise<void>>();
  let stopped = false;

  const holds = createHolds({
    vaults,
    client: use.client,
    ...(use.patience !== undefined && { first: use.patience }),
    changed: use.changed,
    released: (vault) => {
      log.add('note', `${vaults.find(vault)?.firm_name ?? 'The vault'}: files go up again.`);
      go();
    },
    noted: (vault, message) => log.add('problem', `${vaults.find(vault)?.firm_name ?? 'Vault'}: ${message}`),
  });

  async function alone(vault: number, key: string): Promise<() => void> {
    const turn = createHash('sha256').update(`${vault}/${key}`).digest('base64');
    while (turns.has(turn)) await turns.get(turn);
    const { promise, resolve } = Promise.withResolvers<void>();
    turns.set(turn, promise);
    return () => {
      turns.delete(turn);
      resolve();
    };
  }

  async function finish(file: QueuedFile): Promise<void> {
    const folder = file.folder === null ? undefined : folders.find(file.folder);
    try {
      if (file.folder === null) await unlink(file.path).catch(() => {});
      else if (folder) await putAway(folder, file);
      files.done(file.id);
      if (folder && folder.after !== 'leave') files.detach(file.id);
    } catch (error) {
      if (isGone(error)) return files.done(file.id);
      const why = `It is in the vault, but could not be ${folder?.after === 'delete' ? 'deleted' : 'moved'} here.`;
      files.done(file.id, why);
      log.add('problem', `${file.name}: ${why}`);
    }
  }

  async function send(file: QueuedFile, client: VaultClient, signal: AbortSignal): Promise<void> {
    const folder = file.folder === null ? undefined : folders.find(file.folder);
    const parent_id = folder ? folder.parent_id : file.parent_id;
    try {
      const { item, there } = await sendFile({
        client,
        files,
        pace,
        file,
        parent_id,
        signal,
        progress(bytes) {
          const one = under.get(file.id);
          if (one) one.sent = bytes;
          use.changed();
        },
        alone: (key) => alone(file.vault, key),
      });
      later.delete(file.id);
      files.arrive(file.id, item.id);
      const place = folder?.target ?? file.target;
      log.add('done', there ? `${file.name} is in ${place} already.` : `${file.name} is in ${place}.`);
      await finish(file);
    } catch (error) {
      await failed(file, error, signal);
    }
  }

  async function failed(file: QueuedFile, error: unknown, signal: AbortSignal): Promise<void> {
    if (!files.find(file.id)) return;
    if (signal.aborted) return files.wait(file.id, null);
    if (error instanceof Changed) {
      files.changed(file.id, error.now);
      return use.settle();
    }
    let why = TROUBLE_HERE;
    if (isGone(error)) {
      const folder = file.folder === null ? undefined : folders.find(file.folder);
      if (!folder || (await isThere(folder.path))) return files.forget(file.id);
      why = AWAY;
      use.lookNow();
    }
    if (error instanceof Trouble) {
      if (error.kind === 'hold') {
        files.wait(file.id, null);
        return holds.hold(file.vault, error, file.size);
      }
      if (error.kind === 'folder' && file.folder !== null) {
        files.wait(file.id, null);
        folders.trouble(file.folder, error.message);
        return log.add('problem', `${folders.find(file.folder)?.path}: ${error.message}`);
      }
      if (error.kind === 'file' || error.kind === 'folder') {
        files.fail(file.id, error.message);
        return log.add('problem', `${file.name}: ${error.message}`);
      }
    }
    // A file that is locked, or a share that went away in the middle, and whatever nobody thought of: later, and others first.
    const tries = (later.get(file.id)?.tries ?? 0) + 1;
    const pause = Math.min(AGAIN * 2 ** (tries - 1), AGAIN_MOST);
    later.set(file.id, { at: performance.now() + pause, tries });
    files.wait(file.id, error instanceof Trouble ? error.message : why);
    setTimeout(go, pause + 10).unref();
  }

  function go(): void {
    if (stopped || settings.get('paused')) return;
    for (const vault of vaults.all()) {
      const client = use.client(vault.id);
      if (!client || vault.ended || holds.of(vault.id)) continue;
      const busy = [...under.values()].filter((one) => one.vault === vault.id).length;
      for (let free = AT_ONCE - busy; free > 0; free -= 1) {
        const now = performance.now();
        const resting = [...later].filter(([, { at }]) => at > now).map(([id]) => id);
        const file = files.next(vault.id, resting, use.away());
        if (!file) break;
        files.sending(file.id);
        const stop = new AbortController();
        const done = send(file, client, stop.signal).finally(() => {
          under.delete(file.id);
          use.changed();
          go();
        });
        under.set(file.id, { vault: vault.id, stop, done, sent: file.sent });
      }
    }
    use.changed();
  }

  return {
    /** Sends what may be sent. */
    go,
    /** Ends what a kill left half done: what has arrived, and is still to be moved or deleted here. */
    async tidy(): Promise<void> {
      for (const file of files.arrived()) await finish(file);
    },
    holds,
    sent: (file: number): number | undefined => under.get(file)?.sent,
    /** Stops sending, for a pause, or of one vault, or one file; what has arrived at the vault is gone on with. */
    async halt(which: { vault?: number; file?: number } = {}): Promise<void> {
      const those = [...under]
        .filter(([id, { vault }]) => (which.vault ?? vault) === vault && (which.file ?? id) === id)
        .map(([, one]) => one);
      for (const { stop } of those) stop.abort();
      await Promise.all(those.map(({ done }) => done));
    },
    async stop(): Promise<void> {
      stopped = true;
      holds.stop();
      for (const { stop } of under.values()) stop.abort();
      await Promise.all([...under.values()].map(({ done }) => done));
    },
  };
}
export type Sender = ReturnType<typeof createSender>;
