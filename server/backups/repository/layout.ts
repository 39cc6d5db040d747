import type { Place } from './place.ts';

/** The paths of objects by the id of their master key. */
export const blobKey = (key: string, id: string): string => `blobs/${key}/${id.slice(0, 2)}/${id.slice(2)}`;
export const pieceKey = (key: string, name: string): string =>
  `pieces/${key}/${name.slice(0, 2)}/${name.slice(2)}`;
export const checkKey = (key: string): string => `keys/${key}`;
export const unfinishedKey = (key: string): string => `unfinished/${key}`;

const PATH = /^(?:blobs|pieces)\/[0-9a-f]{16}\/([0-9a-f]{2})\/([0-9a-f]{30})$/;

const idOf = (key: string): string | null => {
  const [, first, rest] = PATH.exec(key) ?? [];
  return first ? first + rest! : null;
};

async function idsIn(place: Place, prefix: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const keys of place.keys(prefix)) {
    for (const key of keys) {
      const id = idOf(key);
      if (id) found.add(id);
    }
  }
  return found;
}
/** Lists the sealed files in the place. */
export const blobsIn = (place: Place, key: string): Promise<Set<string>> => idsIn(place, `blobs/${key}/`);
export const piecesIn = (place: Place, key: string): Promise<Set<string>> => idsIn(place, `pieces/${key}/`);

/** Lists the sealed files in the place with their lengths. */
export async function blobLengths(place: Place, key: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { key: path, bytes } of place.list(`blobs/${key}/`)) {
    const id = idOf(path);
    if (id) found.set(id, bytes);
  }
  return found;
}

/** The ids of all master keys with objects in the place. */
export async function keyIdsIn(place: Place): Promise<string[]> {
  const found: string[] = [];
  for await (const keys of place.keys('keys/')) found.push(...keys.map((key) => key.slice('keys/'.length)));
  return found;
}
