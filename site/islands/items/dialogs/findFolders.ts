import type { ItemView } from '#server/documents/contract.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';
import type { ClientRef } from '../../../lib/driveLocation.ts';

/** Folders by name, those of a client first: every client may have a folder of the same year. */
export async function findFolders(
  text: string,
  client: ClientRef | null,
  signal: AbortSignal,
): Promise<ItemView[]> {
  if (client === null) return documentCalls.folders(text, signal);
  // Asked for by themselves, since among very many only some are found.
  const ofClient = `client:"${client.name.replaceAll('"', ' ')}" ${text}`;
  const [own, all] = await Promise.all([
    documentCalls.folders(ofClient, signal),
    documentCalls.folders(text, signal),
  ]);
  const theirs = [...own, ...all].filter(({ client_id }) => client_id === client.id);
  return [...new Map([...theirs, ...all].map((folder) => [folder.id, folder])).values()];
}
