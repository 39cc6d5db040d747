import type { ItemView } from '#server/documents/contract.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';
import type { ClientRef } from '../../../lib/driveLocation.ts';

/** Every client may have a folder of the same year: folders of one name in the order of their clients. */
const byClient = (folders: readonly ItemView[]): ItemView[] =>
  [...Map.groupBy(folders, ({ name }) => name.toLowerCase()).values()].flatMap((namesakes) =>
    namesakes.toSorted((one, other) =>
      (one.client_name ?? '').localeCompare(other.client_name ?? '', 'en-IN'),
    ),
  );

/** Folders by name, those of a client first. */
export async function findFolders(
  text: string,
  client: ClientRef | null,
  signal: AbortSignal,
): Promise<ItemView[]> {
  if (client === null) return byClient(await documentCalls.folders(text, signal));
  // Asked for by themselves, since among very many only some are found.
  const ofClient = `client:"${client.name.replaceAll('"', ' ')}" ${text}`;
  const [own, all] = await Promise.all([
    documentCalls.folders(ofClient, signal),
    documentCalls.folders(text, signal),
  ]);
  const theirs = [...own, ...all].filter(({ client_id }) => client_id === client.id);
  return [...new Map([...theirs, ...byClient(all)].map((folder) => [folder.id, folder])).values()];
}
