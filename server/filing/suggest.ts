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
import type { Doubt, Suggestion } from './contract.ts';
import { folderFor, isLasting } from './folders.ts';
import { nameBy } from './names.ts';

export interface SuggestParts {
  clients: Pick<Clients, 'identified'>;
  documents: Pick<Documents, 'foldersOfClients' | 'previewFolders' | 'compare'>;
  templates: Pick<Templates, 'list'>;
}

interface Named {
  id: number;
  name: string;
}

/** What is known of a client's folders. */
interface Room {
  base: string;
  /** Folders below the client's own, by their path. */
  there: { id: number; path: string[] }[];
  /** Of the client's own, where it is there. */
  top: number | null;
}

interface Tree {
  name: string;
  folders: readonly Tree[];
}

const pathsOf = (folders: readonly Tree[], above: readonly string[] = []): string[][] =>
  folders.flatMap(({ name, folders: inside }) => [[...above, name], ...pathsOf(inside, [...above, name])]);

const keyOf = (path: readonly string[]): string => path.map(nameKey).join('/');

/** Makes suggestions for documents of which something is known. */
export function createSuggesting({ clients, documents, templates }: SuggestParts) {
  async function roomsOf(actor: Actor, wanted: readonly Named[]): Promise<Map<number, Room>> {
    const folders = await documents.foldersOfClients(
      actor,
      wanted.map(({ id }) => id),
    );
    const rooms = new Map<number, Room>();
    for (const client of wanted) {
      const { path, folders: made } = await documents.previewFolders(actor, client, []);
      const top = made[0]!;
      const own = folders.filter((one) => one.client_id === client.id && one.path[0] === top.name);
      rooms.set(client.id, {
        base: path === '' ? top.name : `${path} / ${top.name}`,
        there: own
          .filter((one) => one.path.length > 1)
          .map(({ id, path: all }) => ({ id, path: all.slice(1) })),
        top: top.state === 'there' ? (own.find((one) => one.path.length === 1)?.id ?? null) : null,
      });
    }
    return rooms;
  }

  /** Paths that the firm's own templates make for a client and a year. */
  async function templatePaths(actor: Actor) {
    const own = (await templates.list(actor)).filter((one) => !one.built_in);
    const outlines = own.map(({ outline }) => parseOutline(outline).folders);
    return (client: string, year: number | null): string[][] =>
      outlines.flatMap((folders) =>
        pathsOf(expand(folders, { fy: year === null ? '' : spanOfYear(year), client })),
      );
  }

  /** Which names are taken where they would go, also among themselves. */
  async function markTaken(actor: Actor, suggestions: readonly Suggestion[]): Promise<void> {
    const byFolder = Map.groupBy(
      // Who is sure of a name keeps it.
      suggestions.filter(({ client }) => client !== null).toSorted((a, b) => Number(b.sure) - Number(a.sure)),
      ({ folder_id, base, folder }) => (folder_id === null ? keyOf([base, ...folder]) : String(folder_id)),
    );
    for (const group of byFolder.values()) {
      const used = new Set<string>();
      const { folder_id } = group[0]!;
      const there =
        folder_id === null
          ? []
          : await documents.compare(actor, {
              parent_id: folder_id,
              files: group.map(({ name }) => ({ name, size: 0, path: [] })),
            });
      const taken = new Map(there.map(({ index, id }) => [index, id]));
      for (const [at, one] of group.entries()) {
        const key = nameKey(one.name);
        const other = taken.get(at);
        one.taken = used.has(key) || (other !== undefined && other !== one.item.id);
        used.add(key);
      }
    }
  }

  /** @param chosen a client in the place of whoever would be found. */
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
      /** Of statements, by their ids. */
      holders: ReadonlyMap<number, AccountHolder>;
      pattern: string;
      chosen?: Named | undefined;
    },
  ): Promise<Suggestion[]> {
    const matching = clientIndex(await clients.identified(actor));
    const each = items.map((item) => {
      const fields = known.get(item.id);
      const matches = fields ? matching(fields, holders.get(item.id)) : [];
      const [first] = matches;
      const client = chosen ?? (first ? { id: first.id, name: first.name } : null);
      return { item, fields, matches, client };
    });
    const wanted = new Map(each.flatMap(({ client }) => (client ? [[client.id, client] as const] : [])));
    const rooms = await roomsOf(actor, [...wanted.values()]);
    const fromTemplates = await templatePaths(actor);

    const made = each.map(({ item, fields, matches, client }): Suggestion => {
      const type = fields?.type ?? null;
      const year = fields?.year ?? null;
      const period = fields?.period ?? null;
      const doubts: Doubt[] = [];
      if (!chosen) {
        if (matches.length === 0) doubts.push('no_client');
        else if (matches.length > 1) doubts.push('two_clients');
        else if (matches[0]!.by === 'name') doubts.push('name_only');
      }
      if (type === null || !fields!.typeSure) doubts.push('type');
      if (!isLasting(type) && year === null) doubts.push('year');
      const room = client ? rooms.get(client.id) : undefined;
      const folder =
        client && room
          ? folderFor(
              type,
              year,
              room.there.map(({ path }) => path),
              fromTemplates(client.name, year),
            )
          : [];
      const there = room?.there.find(({ path }) => keyOf(path) === keyOf(folder))?.id ?? null;
      return {
        item,
        type,
        period,
        clients: matches,
        client,
        base: room?.base ?? '',
        folder,
        folder_id: folder.length === 0 ? (room?.top ?? null) : there,
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
        new_client: matches.length === 0 && fields ? newClientOf(fields) : null,
      };
    });
    await markTaken(actor, made);
    return made;
  };
}
