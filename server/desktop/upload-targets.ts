import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clients } from '#server/clients/service.ts';
import type { FolderTree } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, invalid } from '#server/http/errors.ts';
import { repairName } from '#server/text/file-names.ts';
import type { FindFolder, FoundFolder } from './contract.ts';
import { NO_FOLDER } from '#server/text/not-there.ts';

const NO_CLIENT = 'Choose a client from the list';
const nameTaken = (name: string) =>
  invalid({ path: [`The folder "${name}" cannot be made here: something else has this name.`] });

/** The names of a path, in the form in which an upload stores them. */
const namesOf = (path: string): string[] => path.split('/').filter(Boolean).map(repairName);

/** Nested folders, one in the other. */
const chain = ([name, ...below]: readonly string[]): FolderTree[] =>
  name === undefined ? [] : [{ name, folders: chain(below) }];

/** Target folders of uploads: the vault's folders by id, sub-folders of the local disk by name. */
export function createUploadTargets({
  documents,
  clients,
  audit,
}: {
  documents: Pick<Documents, 'brief' | 'childNamed' | 'createFolder' | 'mergeFolders' | 'views'>;
  clients: Pick<Clients, 'named'>;
  audit: Pick<Audit, 'record'>;
}) {
  async function requireFolder(actor: Actor, id: number | null): Promise<void> {
    if (id === null) return;
    const found = await documents.brief(actor, id).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 404) return null;
      throw error;
    });
    if (found?.type !== 'folder') throw invalid({ parent_id: [NO_FOLDER] });
  }

  async function createFolder(actor: Actor, parent_id: number | null, name: string): Promise<number> {
    try {
      return (await documents.createFolder(actor, { name, parent_id, client_id: null })).id;
    } catch (error) {
      if (!(error instanceof AppError && error.errors?.name)) throw error;
      // Parallel uploads may create the same new folder.
      const there = await documents.childNamed(actor, parent_id, name);
      if (there?.type === 'folder') return there.id;
      throw nameTaken(name);
    }
  }

  /** Walks a path below a folder (null: 'My Drive'); undefined when a folder is missing and `create` is false. */
  async function walk(
    actor: Actor,
    parent_id: number | null,
    path: string,
    { create }: { create: boolean },
  ): Promise<number | null | undefined> {
    await requireFolder(actor, parent_id);
    let folder = parent_id;
    for (const name of namesOf(path)) {
      const there = await documents.childNamed(actor, folder, name);
      if (there && there.type !== 'folder' && create) throw nameTaken(name);
      if (there?.type !== 'folder' && !create) return undefined;
      folder = there ? there.id : await createFolder(actor, folder, name);
    }
    return folder;
  }

  async function ofClient(actor: Actor, id: number, path: string): Promise<number> {
    const [client] = await clients.named(actor, [id]);
    if (!client) throw invalid({ client_id: [NO_CLIENT] });
    const names = namesOf(path);
    const made = await documents.mergeFolders(actor, client, chain(names), async (trx, { created }) => {
      if (created === 0) return;
      const detail = { name: [client.name, ...names].join(' / ') };
      await audit.record(trx, { actor, did: 'document.folder', subject: `client:${id}`, detail });
    });
    if (made.taken > 0 || made.last === null) throw nameTaken(names.at(-1) ?? client.name);
    return made.last;
  }

  return {
    /**
     * The folder at a path below another one, created when missing; null is 'My Drive'.
     * @throws {AppError} 403; 422 on `parent_id` and `path`.
     */
    ensure: async (actor: Actor, parent_id: number | null, path: string): Promise<number | null> =>
      (await walk(actor, parent_id, path, { create: true })) ?? null,

    /**
     * Like `ensure`, without creating anything; undefined when missing.
     * @throws {AppError} 403; 422 on `parent_id`.
     */
    find: (actor: Actor, parent_id: number | null, path: string): Promise<number | null | undefined> =>
      walk(actor, parent_id, path, { create: false }),

    /**
     * A client's folder, or one below a folder; created when missing.
     * @throws {AppError} 403; 422.
     */
    async open(actor: Actor, { client_id, parent_id, path }: FindFolder): Promise<FoundFolder | null> {
      const id =
        client_id === null
          ? await this.ensure(actor, parent_id, path)
          : await ofClient(actor, client_id, path);
      if (id === null) return null;
      const [view] = await documents.views(actor, [id]);
      if (!view) throw invalid({ parent_id: [NO_FOLDER] });
      const { name, client_name, path: above } = view;
      return { id, name, client_name, path: above ? `${above} / ${name}` : name };
    },
  };
}
export type UploadTargets = ReturnType<typeof createUploadTargets>;
