import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import type { Abandoned } from '#desktop/queue/abandoned.ts';
import type { Files, QueuedFile } from '#desktop/queue/files.ts';
import type { Folders } from '#desktop/queue/folders.ts';
import type { Log } from '#desktop/queue/log.ts';
import type { Restored } from '#desktop/queue/restored.ts';
import type { SettingsStore } from '#desktop/queue/settings.ts';
import type { Vaults } from '#desktop/queue/vaults.ts';
import type { DeviceSelf } from '#server/desktop/contract.ts';
import { moveOrDelete } from '#desktop/watch/after-upload.ts';
import { isNotFound, isFolder } from '#desktop/watch/ready.ts';
import { UNREACHABLE } from '#desktop/watch/watcher.ts';
import { FileChanged, requireUnchanged } from './content.ts';
import { createHolds } from './holds.ts';
import { cancelUpload, sendFile } from './one-file.ts';
import type { Pace } from './pace.ts';
import { UploadError } from './upload-error.ts';
import type { VaultClient } from './vault-client.ts';

const CONCURRENCY = 3;
/** Ms before a file is retried: first delay, and maximum. */
const [RETRY_MS, MAX_RETRY_MS] = [2000, 5 * 60_000];
const UNREADABLE = 'This file cannot be read at present. It is tried again.';

/** Uploads: all, or those of a vault, of a watched folder, or of one file. */
interface Which {
  vault?: number;
  folder?: number;
  file?: number;
}

/**
 * Uploads complete files, three at a time per vault. A problem of a vault blocks only that vault; a problem of
 * a file only that file.
 */
export function createSender(dependencies: {
  files: Files;
  abandoned: Abandoned;
  restored: Restored;
  folders: Folders;
  vaults: Vaults;
  settings: SettingsStore;
  log: Log;
  pace: Pace;
  /** Whether the file is the program's own copy of a dropped one. */
  isOwnCopy: (file: QueuedFile) => boolean;
  /** undefined while there is no token. */
  client: (vault: number) => VaultClient | undefined;
  changed: () => void;
  settle: () => void;
  /** Watched folders that cannot be reached, and a request to scan them now. */
  unreachableFolders: () => number[];
  scanNow: () => void;
  /** Ms before a vault on hold is contacted again for the first time. */
  retryMs?: number;
}) {
  const { files, abandoned, restored, folders, vaults, settings, log, pace } = dependencies;
  const active = new Map<
    number,
    { vault: number; folder: number | null; stop: AbortController; done: Promise<void>; sent: number }
  >();
  /** When a file may be retried, by the monotonic clock. */
  const retries = new Map<number, { due: number; tries: number }>();
  const locks = new Map<string, Promise<void>>();
  /** Of these nothing is sent at present, since they are being changed or removed. */
  const changing = new Set<Which>();
  let stopped = false;
  /** The file that is moved or deleted here; that ends before the queue is closed. */
  let finishing: Promise<void> = Promise.resolve();
  let restart: NodeJS.Timeout | undefined;

  const holds = createHolds({
    vaults,
    client: dependencies.client,
    ...(dependencies.retryMs !== undefined && { first: dependencies.retryMs }),
    changed: dependencies.changed,
    answered: noteFolder,
    released: sendQueued,
    hasRoom: sendQueued,
    largest: files.largest,
    notify: (vault, message) => log.add('problem', `${vaults.find(vault)?.firm_name ?? 'Vault'}: ${message}`),
  });

  function noteFolder(vault: number, { data_folder }: DeviceSelf): void {
    const again = restored.note(vault, data_folder);
    if (again === 0) return;
    const firm = vaults.find(vault)?.firm_name ?? 'The vault';
    log.add(
      'note',
      `${firm}: the vault was restored from a backup. Files uploaded before are compared with it.`,
    );
    dependencies.settle();
    dependencies.changed();
  }

  async function lock(vault: number, key: string): Promise<() => void> {
    const id = createHash('sha256').update(`${vault}/${key}`).digest('base64');
    while (locks.has(id)) await locks.get(id);
    const { promise, resolve } = Promise.withResolvers<void>();
    locks.set(id, promise);
    return () => {
      locks.delete(id);
      resolve();
    };
  }

  async function finishFile(file: QueuedFile): Promise<void> {
    const folder = file.folder === null ? undefined : folders.find(file.folder);
    // A scan may find another content meanwhile, and queue the file again.
    const isStill = () => files.find(file.id)?.state === 'arrived';
    try {
      if (dependencies.isOwnCopy(file)) await unlink(file.path).catch(() => {});
      else if (folder) {
        await requireUnchanged(file).catch((error: unknown) => {
          if (error instanceof FileChanged) throw error;
        });
        await moveOrDelete(folder, file);
      }
      if (!isStill()) return;
      files.done(file.id);
      if (folder && folder.after !== 'leave') files.detach(file.id);
    } catch (error) {
      if (error instanceof FileChanged) {
        // It changed after its last byte was read; what the vault has now becomes the earlier version.
        files.changed(file.id, error.now);
        return dependencies.settle();
      }
      if (isNotFound(error)) return files.done(file.id);
      if (!isStill()) return;
      const why = `It is in the vault, but could not be ${folder?.after === 'delete' ? 'deleted' : 'moved'} here.`;
      files.done(file.id, why);
      log.add('problem', `${file.name}: ${why}`);
    }
  }

  /**
   * Completes interrupted work: uploaded files that still have to be moved or deleted here. Not before the vault has answered: once
   * it was restored from a backup, they may be missing there.
   */
  async function finishArrived(vault: number): Promise<void> {
    for (const file of files.arrived(vault)) {
      if (stopped) return;
      if (active.has(file.id)) continue;
      // If the queue cannot be written, it is tried again after the next question.
      finishing = finishFile(file).catch(() => {});
      await finishing;
    }
  }

  async function send(
    file: QueuedFile,
    data_folder: string | null,
    client: VaultClient,
    signal: AbortSignal,
  ): Promise<void> {
    const folder = file.folder === null ? undefined : folders.find(file.folder);
    const parent_id = folder ? folder.parent_id : file.parent_id;
    try {
      const { item, existed } = await sendFile({
        client,
        files,
        pace,
        file,
        parent_id,
        data_folder,
        signal,
        progress(bytes) {
          const upload = active.get(file.id);
          if (upload) upload.sent = bytes;
          dependencies.changed();
        },
        lock: (key) => lock(file.vault, key),
      });
      retries.delete(file.id);
      files.arrive(file.id, existed && file.sent_before < 2 ? null : item.id);
      if (holds.wentUp(file.vault))
        log.add('note', `${vaults.find(file.vault)?.firm_name ?? 'The vault'}: files go up again.`);
      const place = folder?.target ?? file.target;
      log.add('done', existed ? `${file.name} is in ${place} already.` : `${file.name} is in ${place}.`);
      await finishFile(file);
    } catch (error) {
      await handleError(file, error, signal);
    }
  }

  async function handleError(file: QueuedFile, error: unknown, signal: AbortSignal): Promise<void> {
    if (!files.find(file.id)) return;
    if (signal.aborted) return files.requeue(file.id, null);
    if (error instanceof FileChanged) {
      files.changed(file.id, error.now);
      return dependencies.settle();
    }
    let why = UNREADABLE;
    if (isNotFound(error)) {
      const folder = file.folder === null ? undefined : folders.find(file.folder);
      if (!folder || (await isFolder(folder.path))) return files.forget(file.id);
      why = UNREACHABLE;
      dependencies.scanNow();
    }
    if (error instanceof UploadError) {
      if (error.kind === 'hold') {
        files.requeue(file.id, error.hold === 'full' ? error.message : null);
        return holds.hold(file.vault, error, file.size);
      }
      if (error.kind === 'folder' && file.folder !== null) {
        files.requeue(file.id, null);
        folders.trouble(file.folder, error.message);
        return log.add('problem', `${folders.find(file.folder)?.path}: ${error.message}`);
      }
      if (error.kind === 'file' || error.kind === 'folder') {
        files.fail(file.id, error.message);
        return log.add('problem', `${file.name}: ${error.message}`);
      }
    }
    // A locked file, a share that went away, or an unexpected error: retry later, and send other files first.
    const tries = (retries.get(file.id)?.tries ?? 0) + 1;
    const pause = Math.min(RETRY_MS * 2 ** (tries - 1), MAX_RETRY_MS);
    retries.set(file.id, { due: performance.now() + pause, tries });
    files.requeue(file.id, error instanceof UploadError ? error.message : why);
    setTimeout(sendQueued, pause + 10).unref();
  }

  /** Requeues a file after a failure that could not be recorded, because the queue cannot be written. */
  function requeueLater(id: number): void {
    setTimeout(() => {
      if (stopped) return;
      try {
        const state = files.find(id)?.state;
        if (state === 'sending' || state === 'arrived') files.requeue(id, null);
        sendQueued();
      } catch {
        requeueLater(id);
      }
    }, RETRY_MS).unref();
  }

  function sendQueued(): void {
    if (stopped) return;
    try {
      startUploads();
    } catch {
      // The queue cannot be written, for example because the disk is full.
      clearTimeout(restart);
      restart = setTimeout(sendQueued, RETRY_MS).unref();
    }
    dependencies.changed();
  }

  /** Vaults at which uploads are being cancelled. */
  const cancelling = new Set<number>();
  /** Cancels the uploads that are no longer wanted, one after another; those that a vault on hold keeps are tried when it is back. */
  async function cancelAbandoned(vault: number, client: VaultClient): Promise<void> {
    if (cancelling.has(vault)) return;
    cancelling.add(vault);
    try {
      for (const upload of abandoned.of(vault)) {
        if (stopped) break;
        await cancelUpload(client, upload);
        abandoned.remove(upload.id);
      }
    } catch {
      // The next upload to this vault fails for the same reason, and says so.
    } finally {
      cancelling.delete(vault);
    }
  }

  function startUploads(): void {
    if (settings.get('paused')) return;
    for (const vault of vaults.all()) {
      const client = dependencies.client(vault.id);
      const changed = [...changing];
      if (!client || vault.ended || changed.some((which) => which.vault === vault.id)) continue;
      const hold = holds.of(vault.id)?.hold;
      // In a full vault, those that are no longer wanted may take the room.
      if (!hold || hold === 'full') void cancelAbandoned(vault.id, client);
      const room = holds.room(vault.id);
      if (room === 0) continue;
      const busy = [...active.values()].filter((upload) => upload.vault === vault.id).length;
      for (let free = CONCURRENCY - busy; free > 0; free -= 1) {
        const now = performance.now();
        const resting = [...retries].filter(([, { due }]) => due > now).map(([id]) => id);
        const file = files.next(
          vault.id,
          [...resting, ...changed.flatMap((which) => which.file ?? [])],
          [...dependencies.unreachableFolders(), ...changed.flatMap(({ folder }) => folder ?? [])],
          room,
        );
        if (!file) break;
        files.sending(file.id);
        const stop = new AbortController();
        const done = send(file, vault.data_folder, client, stop.signal)
          .catch(() => requeueLater(file.id))
          .finally(() => {
            active.delete(file.id);
            sendQueued();
          });
        active.set(file.id, { vault: vault.id, folder: file.folder, stop, done, sent: file.sent });
      }
    }
  }

  /** Aborts uploads; files that have arrived are still finished. */
  async function abort(which: Which = {}): Promise<void> {
    const those = [...active]
      .filter(
        ([id, { vault, folder }]) =>
          (which.vault ?? vault) === vault &&
          (which.folder ?? folder) === folder &&
          (which.file ?? id) === id,
      )
      .map(([, upload]) => upload);
    for (const { stop } of those) stop.abort();
    await Promise.all(those.map(({ done }) => done));
  }

  return {
    /** Starts uploads as far as possible. */
    sendQueued,
    holds,
    /**
     * Asks all vaults whether they were restored from a backup, and completes what was interrupted. One that is on hold, or does
     * not answer, is asked again later.
     */
    async checkVaults(): Promise<void> {
      for (const { id, ended } of vaults.all()) {
        const client = ended || holds.of(id) ? undefined : dependencies.client(id);
        const self = await client?.me().catch(() => null);
        if (stopped) return;
        if (self) noteFolder(id, self);
        if (self || ended) await finishArrived(id);
      }
    },
    sent: (file: number): number | undefined => active.get(file)?.sent,
    abort,
    /**
     * Changes or removes a vault, a watched folder or a file while nothing of it is being sent; what is left of it is sent
     * after the change.
     */
    async betweenUploads<T>(which: Which, change: () => T | Promise<T>): Promise<T> {
      // An object of its own, since the same may be changed twice at once.
      const own = { ...which };
      changing.add(own);
      try {
        await abort(which);
        return await change();
      } finally {
        changing.delete(own);
        sendQueued();
      }
    },
    async stop(): Promise<void> {
      stopped = true;
      holds.stop();
      for (const { stop } of active.values()) stop.abort();
      await Promise.all([finishing, ...[...active.values()].map(({ done }) => done)]);
    },
  };
}
