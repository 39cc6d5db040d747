import type { Actor } from '#server/actor.ts';
import type { Child } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { missing } from '#server/http/errors.ts';
import { nameKey } from '#server/text/file-names.ts';
import { seesAll } from '#server/visibility/visible.ts';
import type { ScratchFile, ScratchFiles } from './scratch-files.ts';

/** A file or folder of the drive. */
export interface Entry extends Omit<Child, 'id'> {
  /** Null for 'My Drive' and for a scratch file. */
  id: number | null;
  scratch?: ScratchFile;
}

/** The result of resolving a path. */
export interface ResolvedPath {
  /** Names from the drive down, the item's own last; empty for the drive itself. */
  names: string[];
  name: string;
  /** The parent folder; undefined when it does not exist, and for the drive itself. */
  folder: number | null | undefined;
  entry: Entry | null;
}

const NO_FOLDER =
  'The folder of this app password is not there any more. Make a new app password under Settings.';
const EPOCH = new Date(0).toISOString();

const scratchEntry = (file: ScratchFile): Entry => ({
  id: null,
  name: file.name,
  type: 'file',
  file_type: null,
  file_size: file.blob?.size ?? 0,
  sha256: file.blob?.sha256 ?? null,
  created_at: file.at,
  modified_at: file.at,
  original_at: null,
  scratch: file,
});

/** The drive as a tree of paths, as the owner of an app password sees it. */
export function createTree({
  documents,
  scratch,
}: {
  documents: Pick<Documents, 'children' | 'childNamed' | 'brief' | 'sees'>;
  scratch: ScratchFiles;
}) {
  /**
   * The root of the drive.
   * @throws {AppError} 404 when the app password's folder no longer exists.
   */
  async function top(actor: Actor): Promise<Entry> {
    const id = actor.app?.folder ?? null;
    if (id !== null) {
      const found = await documents.brief(actor, id).catch(() => null);
      if (found?.type !== 'folder') throw missing(NO_FOLDER);
    }
    return {
      id,
      name: '',
      type: 'folder',
      file_type: null,
      file_size: null,
      sha256: null,
      created_at: EPOCH,
      modified_at: EPOCH,
      original_at: null,
    };
  }

  /** A user who sees only some clients may see two folders of one name in 'My Drive': later ones get a number. */
  function withUniqueNames(actor: Actor, folder: number | null, children: Child[]): Child[] {
    if (folder !== null || seesAll(actor)) return children;
    const taken = new Set<string>();
    return children.map((child) => {
      let { name } = child;
      for (let n = 2; taken.has(nameKey(name)); n += 1) {
        const dot = child.type === 'file' ? child.name.lastIndexOf('.') : -1;
        const end = dot > 0 ? dot : child.name.length;
        name = `${child.name.slice(0, end)} (${n})${child.name.slice(end)}`;
      }
      taken.add(nameKey(name));
      return name === child.name ? child : { ...child, name };
    });
  }

  /** Whether the user sees the document of which a scratch file is a copy, if it is one. */
  const seesSource = async (actor: Actor, { source }: ScratchFile): Promise<boolean> =>
    source === undefined || documents.sees(actor, source);

  async function documentAt(actor: Actor, folder: number | null, name: string): Promise<Child | null> {
    if (folder !== null || seesAll(actor)) return documents.childNamed(actor, folder, name);
    const children = withUniqueNames(actor, null, await documents.children(actor, null));
    return children.find((child) => nameKey(child.name) === nameKey(name)) ?? null;
  }

  async function childOf(actor: Actor, folder: number | null, name: string): Promise<Entry | null> {
    const scratchFile = await scratch.find(actor, folder, name);
    if (scratchFile && (await seesSource(actor, scratchFile))) return scratchEntry(scratchFile);
    const child = await documentAt(actor, folder, name);
    return child && (await scratch.asideOf(actor)).has(child.id) ? null : child;
  }

  return {
    /** The document or folder of this name, also one that the program has moved aside. @throws {AppError} 403. */
    documentAt,

    /** @throws {AppError} 403; 404 when the folder of the app password was deleted. */
    async find(actor: Actor, names: readonly string[]): Promise<ResolvedPath> {
      let entry: Entry | null = await top(actor);
      let folder: number | null | undefined;
      for (const name of names) {
        folder = entry?.type === 'folder' ? entry.id : undefined;
        entry = folder === undefined ? null : await childOf(actor, folder, name);
      }
      return { names: [...names], name: names.at(-1) ?? '', folder, entry };
    },

    /** The children of a folder. @throws {AppError} 403. */
    async list(actor: Actor, folder: number | null): Promise<Entry[]> {
      const children = withUniqueNames(actor, folder, await documents.children(actor, folder));
      const aside = await scratch.asideOf(actor);
      const shown: Entry[] = aside.size === 0 ? children : children.filter(({ id }) => !aside.has(id));
      const scratchFiles: Entry[] = [];
      for (const file of await scratch.own(actor, folder))
        if (await seesSource(actor, file)) scratchFiles.push(scratchEntry(file));
      return scratchFiles.length === 0 ? shown : [...shown, ...scratchFiles];
    },
  };
}
export type Tree = ReturnType<typeof createTree>;
