import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { homedir } from 'node:os';
import { dirname, join, parse, relative, isAbsolute } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Engine } from '#desktop/engine.ts';
import type { FolderChoice } from '#desktop/queue/folders.ts';
import { AFTER, SUB_FOLDERS } from '#desktop/queue/folders.ts';
import { UploadError } from '#desktop/upload/upload-error.ts';
import { createPlaces } from '#desktop/watch/patterns.ts';

/** System services for the window. */
export interface System {
  openBrowser(url: string): void;
  /** null where the system is not supported. */
  autostart: { get(): Promise<boolean>; set(on: boolean): Promise<void> } | null;
  update: { available(): string | null; install(): Promise<void> } | null;
  quit(): void;
}
/** An error whose message is shown to the user. */
export class UserError extends Error {}

type Body = Record<string, unknown>;
type Call = (request: { id: number; body: Body; query: URLSearchParams; raw: IncomingMessage }) => unknown;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const idOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

/** API calls of the window, by method and path; `:id` is a number. */
export function windowCalls(engine: Engine, system: System, port: () => number): Record<string, Call> {
  const { pairing, folders, files, watcher, sender } = engine;
  const clientOf = (vault: number) => {
    const client = pairing.client(vault);
    if (!client) throw new UserError('Connect this computer with the vault first.');
    return client;
  };

  async function choiceOf(body: Body): Promise<FolderChoice> {
    const path = text(body.path);
    const look = path === '' || !isAbsolute(path) ? null : await stat(path).catch(() => null);
    if (!look?.isDirectory()) throw new UserError('Choose a folder of this computer that is there.');
    const real = await realpath(path);
    const vault = Number(body.vault);
    const client_id = idOrNull(body.client_id);
    let parent_id = idOrNull(body.parent_id);
    let target = text(body.target) || 'My Drive';
    if (client_id !== null) {
      const found = await clientOf(vault).folder({ client_id, parent_id: null, path: '' });
      [parent_id, target] = [found.id, found.path];
    } else clientOf(vault);
    const [sub_folders, after] = [SUB_FOLDERS, AFTER].map((all, index) =>
      (all as readonly string[]).find((choice) => choice === body[index === 0 ? 'sub_folders' : 'after']),
    ) as [FolderChoice['sub_folders'] | undefined, FolderChoice['after'] | undefined];
    const leave_out = Array.isArray(body.leave_out)
      ? body.leave_out.map(text).filter((pattern) => pattern.trim() !== '')
      : [];
    return {
      vault,
      path: real,
      parent_id,
      client_id,
      target,
      sub_folders: sub_folders ?? 'keep',
      leave_out,
      after: after ?? 'leave',
    };
  }
  /** Refuses nested watched folders, and the program's own folder: no file may be uploaded twice. */
  function requireDisjoint({ vault, path }: FolderChoice, except?: number): void {
    const within = (inner: string, outer: string) => {
      const difference = relative(outer, inner);
      return difference === '' || (!difference.startsWith('..') && !isAbsolute(difference));
    };
    if (within(engine.dir, path) || within(path, engine.dir))
      throw new UserError('Almirah Uploader keeps its own files in there. Choose another folder.');
    const other = folders
      .all()
      .find(
        (folder) =>
          folder.vault === vault &&
          folder.id !== except &&
          (within(folder.path, path) || within(path, folder.path)),
      );
    if (other) throw new UserError(`${other.path} is watched already, and one of the two lies in the other.`);
  }

  return {
    'GET /api/log': () => engine.log.newest(),
    'POST /api/pair': ({ body }) => {
      const url = pairing.link(text(body.address), port());
      system.openBrowser(url);
      return { url };
    },
    'POST /api/pair-code': async ({ body }) => {
      const { id } = await pairing.code(text(body.address), text(body.code));
      return { id };
    },
    'POST /api/vaults/:id/disconnect': ({ id }) => engine.disconnect(id),
    'POST /api/vaults/:id/ask': ({ id }) => sender.holds.ask(id),
    'GET /api/vaults/:id/folders': ({ id, query }) =>
      clientOf(id).folders(idOrNull(Number(query.get('parent')))),
    'GET /api/vaults/:id/clients': ({ id, query }) => clientOf(id).clients(query.get('q') ?? ''),

    /** Folders of this computer. */
    'GET /api/disk': async ({ query }) => {
      const path = query.get('path') || homedir();
      if (!isAbsolute(path)) throw new UserError('Choose a folder of this computer that is there.');
      const entries = await readdir(path, { withFileTypes: true }).catch(() => {
        throw new UserError('This folder cannot be opened.');
      });
      const names = entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !entry.name.startsWith('$'))
        .map((entry) => entry.name)
        .toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true }));
      const up = parse(path).root === path ? null : dirname(path);
      return {
        path,
        up,
        drives: await drives(),
        folders: names.map((name) => ({ name, path: join(path, name) })),
      };
    },

    'POST /api/folders': async ({ body }) => {
      const choice = await choiceOf(body);
      requireDisjoint(choice);
      const { id } = folders.add(choice);
      watcher.applyFolders();
      engine.changed();
      return { id };
    },
    'POST /api/folders/:id': async ({ id, body }) => {
      const choice = await choiceOf(body);
      requireDisjoint(choice, id);
      const { vault, parent_id } = folders.find(id) ?? choice;
      await sender.betweenUploads({ folder: id }, () => {
        folders.change(id, choice);
        if (vault !== choice.vault || parent_id !== choice.parent_id) files.redirect(id, choice.vault);
        files.reconsider(id, createPlaces(choice));
        // Ends the scan by the choice of before, which would queue its files again.
        watcher.applyFolders();
      });
    },
    'POST /api/folders/:id/retry': ({ id }) => {
      folders.trouble(id, null);
      watcher.scanNow();
      sender.sendQueued();
    },
    'POST /api/folders/:id/remove': async ({ id }) => {
      if (!folders.find(id)) return;
      await sender.betweenUploads({ folder: id }, () => {
        folders.remove(id);
        watcher.applyFolders();
      });
    },

    'POST /api/files/retry': () => engine.retry(),
    'POST /api/files/clear': () => {
      files.clearEnded();
      engine.changed();
    },
    'POST /api/files/:id/retry': ({ id }) => engine.retry(id),
    'POST /api/files/:id/remove': ({ id }) => engine.skip(id),
    /** A dropped file, as a stream. */
    'POST /api/drop': ({ query, raw }) => receiveDrop(engine, query, raw),

    'POST /api/settings': async ({ body }) => {
      if (typeof body.speed_limit === 'number')
        engine.settings.set('speed_limit', Math.max(0, Math.min(Math.floor(body.speed_limit) || 0, 1e12)));
      if (typeof body.paused === 'boolean') await engine.pause(body.paused);
      if (typeof body.autostart === 'boolean') await system.autostart?.set(body.autostart);
      engine.changed();
    },
    'POST /api/update': () => system.update?.install(),
    'POST /api/quit': () => void setTimeout(() => system.quit(), 100),
  };
}

async function drives(): Promise<string[]> {
  if (process.platform !== 'win32') return [];
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => `${letter}:\\`);
  const there = await Promise.all(
    letters.map((path) =>
      stat(path).then(
        () => path,
        () => null,
      ),
    ),
  );
  return there.filter((path) => path !== null);
}

/** Receives a dropped file into the program's own folder; an interrupted transfer leaves nothing. */
async function receiveDrop(engine: Engine, query: URLSearchParams, raw: IncomingMessage): Promise<void> {
  const name = (query.get('name') ?? '').replaceAll('\\', '/').split('/').at(-1) ?? '';
  const vault = Number(query.get('vault'));
  if (name === '' || !engine.vaults.find(vault)) throw new UserError('Choose where the files go first.');
  let parent_id = idOrNull(Number(query.get('parent_id')));
  let target = query.get('target') || 'My Drive';
  const client_id = idOrNull(Number(query.get('client_id')));
  if (client_id !== null) {
    const client = engine.pairing.client(vault);
    if (!client) throw new UserError('Connect this computer with the vault first.');
    const found = await client.folder({ client_id, parent_id: null, path: '' });
    [parent_id, target] = [found.id, found.path];
  }
  const path = join(engine.drops, randomUUID());
  try {
    await pipeline(raw, createWriteStream(`${path}.part`, { flush: true, mode: 0o600 }));
    const { size } = await stat(`${path}.part`);
    if (size === 0) throw new UserError(`${name} is empty.`);
    const changed = Number(query.get('changed_at')) / 1000;
    // Keep the file's own date.
    if (changed > 0) await utimes(`${path}.part`, changed, changed).catch(() => {});
    await rename(`${path}.part`, path);
    const { mtimeMs: changed_at } = await stat(path);
    engine.files.drop({ vault, parent_id, target }, { path, size, name, changed_at });
  } catch (error) {
    await rm(`${path}.part`, { force: true });
    if (error instanceof UploadError || error instanceof UserError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new UserError(`The disk of this computer is full: ${name} was not taken.`);
    throw error;
  }
  engine.sender.sendQueued();
}
