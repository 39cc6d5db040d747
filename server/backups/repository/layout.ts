import type { Place } from './place.ts';

/** Where each thing lies, by the id of its master key. */
export const blobKey = (key: string, id: string): string => `blobs/${key}/${id.slice(0, 2)}/${id.slice(2)}`;
export const pieceKey = (key: string, name: string): string =>
  `pieces/${key}/${name.slice(0, 2)}/${name.slice(2)}`;
export const checkKey = (key: string): string => `keys/${key}`;
export const unfinishedKey = (key: string): string => `unfinished/${key}`;

const PATH = /^(?:blobs|pieces)\/[0-9a-f]{16}\/([0-9a-f]{2})\/([0-9a-f]{30})$/;

async function* idsIn(place: Place, prefix: string): AsyncGenerator<{ id: string; bytes: number }> {
  for await (const { key, bytes } of place.list(prefix)) {
    const [, first, rest] = PATH.exec(key) ?? [];
    if (first) yield { id: first + rest!, bytes };
  }
}

/** The sealed files that are there, with their lengths. */
export async function blobsIn(place: Place, key: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { id, bytes } of idsIn(place, `blobs/${key}/`)) found.set(id, bytes);
  return found;
}

export async function piecesIn(place: Place, key: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const { id } of idsIn(place, `pieces/${key}/`)) found.add(id);
  return found;
}

/** The ids of all master keys of which there is anything. */
export async function keyIdsIn(place: Place): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of place.list('keys/')) found.push(key.slice('keys/'.length));
  return found;
}
