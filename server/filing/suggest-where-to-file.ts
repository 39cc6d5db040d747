import type { Actor } from '#server/actor.ts';
import type { Clients } from '#server/clients/service.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import type { AccountHolder, KnownFields } from '#server/fields/contract.ts';
import { expand, parseOutline } from '#server/templates/contract.ts';
import type { Templates } from '#server/templates/service.ts';
import { nameKey } from '#server/documents/contract.ts';
import { spanOfYear } from '#server/text/years.ts';
import { clientIndex, newClientOf } from './clients.ts';
import type { ClientMatch, Doubt, Suggestion } from './contract.ts';
import { folderFor, isLasting } from './folders.ts';
import { nameBy } from './names.ts';

export interface SuggestDependencies {
  clients: Pick<Clients, 'identified'>;
  documents: Pick<Documents, 'foldersOfClients' | 'previewFolders' | 'compare'>;
  templates: Pick<Templates, 'list'>;
}

interface NamedClient {
  id: number;
  name: string;
}

/** A client's folders. */
interface ClientFolders {
  base: string;
  /** Folders below the client's own, by path. */
  existing: { id: number; path: string[] }[];
  /** The id of the client's own folder; null if it does not exist. */
  top: number | null;
}

interface Tree {
  name: string;
  folders: readonly Tree[];
}

const pathsOf = (folders: readonly Tree[], parents: readonly string[] = []): string[][] =>
  folders.flatMap(({ name, folders: inside }) => [
    [...parents, name],
    ...pathsOf(inside, [...parents, name]),
  ]);

/** Why a document of one matching client may not be that client's. */
const DOUBT_OF: Partial<Record<ClientMatch['by'], Doubt>> = {
  name: 'name_only',
  issuer: 'issuer',
  mentioned: 'mentioned',
};
/** Whether a document names a client, but by its own values is somebody else's. */
const isSomebodyElses = ({ by }: ClientMatch): boolean => by === 'issuer' || by === 'mentioned';

const pathKey = (path: readonly string[]): string => path.map(nameKey).join('/');

/** Suggests where to file documents of which something is known. */
export function createSuggesting({ clients, documents, templates }: SuggestDependencies) {
  async function loadFolders(
    actor: Actor,
    needed: readonly NamedClient[],
  ): Promise<Map<number, ClientFolders>> {
    const folders = await documents.foldersOfClients(
      actor,
      needed.map(({ id }) => id),
    );
    const foldersById = new Map<number, ClientFolders>();
    for (const client of needed) {
      const { path, folders: preview } = await documents.previewFolders(actor, client, []);
      const top = preview[0]!;
      const clientFolders = folders.filter(
        (folder) => folder.client_id === client.id && folder.path[0] === top.name,
      );
      foldersById.set(client.id, {
        base: path === '' ? top.name : `${path} / ${top.name}`,
        existing: clientFolders
          .filter((folder) => folder.path.length > 1)
          .map(({ id, path: fullPath }) => ({ id, path: fullPath.slice(1) })),
        top:
          top.state === 'there'
            ? (clientFolders.find((folder) => folder.path.length === 1)?.id ?? null)
            : null,
      });
    }
    return foldersById;
  }

  /** The paths that the firm's templates create for a client and a year. */
  async function templatePaths(actor: Actor) {
    const firmTemplates = (await templates.list(actor)).filter((template) => !template.built_in);
    const outlines = firmTemplates.map(({ outline }) => parseOutline(outline).folders);
    return (client: string, year: number | null): string[][] =>
      outlines.flatMap((folders) =>
        pathsOf(expand(folders, { fy: year === null ? '' : spanOfYear(year), client })),
      );
  }

  /** Marks names that are taken in their folder, or used twice among the suggestions. */
  async function markTaken(actor: Actor, suggestions: readonly Suggestion[]): Promise<void> {
    const byFolder = Map.groupBy(
      // Certain suggestions keep their name.
      suggestions.filter(({ client }) => client !== null).toSorted((a, b) => Number(b.sure) - Number(a.sure)),
      ({ folder_id, base, folder }) => (folder_id === null ? pathKey([base, ...folder]) : String(folder_id)),
    );
    for (const group of byFolder.values()) {
      const used = new Set<string>();
      const { folder_id } = group[0]!;
      const sameNames =
        folder_id === null
          ? []
          : await documents.compare(actor, {
              parent_id: folder_id,
              files: group.map(({ name }) => ({ name, size: 0, path: [] })),
            });
      const taken = new Map(sameNames.map(({ index, id }) => [index, id]));
      for (const [index, suggestion] of group.entries()) {
        const key = nameKey(suggestion.name);
        const takenBy = taken.get(index);
        suggestion.taken = used.has(key) || (takenBy !== undefined && takenBy !== suggestion.item.id);
        used.add(key);
      }
    }
  }

  /** @param chosen a client that overrides the matching ones. */
  return async function suggest(
    actor: Actor,
    {
      items,
      known,
      holders,
      pattern,
      chosen,
    }: {
      items: readonly ItemView[];
      known: ReadonlyMap<number, KnownFields>;
      /** By document id. */
      holders: ReadonlyMap<number, AccountHolder>;
      pattern: string;
      chosen?: NamedClient | undefined;
    },
  ): Promise<Suggestion[]> {
    const matchClients = clientIndex(await clients.identified(actor));
    const matched = items.map((item) => {
      const fields = known.get(item.id);
      const matches = fields ? matchClients(fields, holders.get(item.id)) : [];
      const [first] = matches;
      // Where nothing in it says whose it is, it probably stays with the client it has.
      const present = item.client_id === null ? null : { id: item.client_id, name: item.client_name ?? '' };
      const named = first && { id: first.id, name: first.name };
      const client =
        chosen ?? (first && isSomebodyElses(first) ? (present ?? named) : (named ?? present)) ?? null;
      return { item, fields, matches, client };
    });
    const needed = new Map(matched.flatMap(({ client }) => (client ? [[client.id, client] as const] : [])));
    const foldersById = await loadFolders(actor, [...needed.values()]);
    const fromTemplates = await templatePaths(actor);

    const suggestions = matched.map(({ item, fields, matches, client }): Suggestion => {
      const type = fields?.type ?? null;
      const year = fields?.year ?? null;
      const period = fields?.period ?? null;
      const doubts: Doubt[] = [];
      if (!chosen) {
        if (matches.length === 0) doubts.push('no_client');
        else if (matches.length > 1) doubts.push('two_clients');
        else {
          const { id, by } = matches[0]!;
          // A certificate among the papers of the client who issued it is that client's copy.
          const doubt = by === 'issuer' && id === item.client_id ? undefined : DOUBT_OF[by];
          if (doubt) doubts.push(doubt);
        }
      }
      if (type === null || !fields!.typeSure) doubts.push('type');
      if (!isLasting(type) && year === null) doubts.push('year');
      const clientFolders = client ? foldersById.get(client.id) : undefined;
      const folder =
        client && clientFolders
          ? folderFor(
              type,
              year,
              clientFolders.existing.map(({ path }) => path),
              fromTemplates(client.name, year),
            )
          : [];
      const folderId =
        clientFolders?.existing.find(({ path }) => pathKey(path) === pathKey(folder))?.id ?? null;
      return {
        item,
        type,
        period,
        clients: matches,
        client,
        base: clientFolders?.base ?? '',
        folder,
        folder_id: folder.length === 0 ? (clientFolders?.top ?? null) : folderId,
        name: nameBy(pattern, {
          client: client?.name ?? '',
          type,
          period,
          year,
          values: fields?.fields ?? [],
          name: item.name,
        }),
        taken: false,
        sure: doubts.length === 0,
        doubts,
        new_client: matches.every(isSomebodyElses) && fields ? newClientOf(fields) : null,
      };
    });
    await markTaken(actor, suggestions);
    return suggestions;
  };
}
