import { resultOf, transact } from '../indexedDb.ts';

/** The photographs of one row that are chosen and have not arrived. */
interface Kept {
  /** The address of the link and the row. */
  key: string;
  photos: readonly File[];
  /** Milliseconds since 1970. */
  at: number;
}

const DATABASE = {
  name: 'almirah-unsent-photos',
  stores: ['photos'],
  create: (db: IDBDatabase) => void db.createObjectStore('photos', { keyPath: 'key' }),
};
const KEPT_MS = 7 * 24 * 60 * 60_000;

const keyOf = (address: string, row: string): string => `${address} ${row}`;

/**
 * Whether the device keeps photographs: a phone or tablet, whose photographs may be nowhere else and which often ends a page
 * that is not in front. On a computer, which others may use too, files are chosen from a folder and stay there.
 */
const keepsPhotos = (): boolean => 'indexedDB' in globalThis && matchMedia('(pointer: coarse)').matches;

/** Copies by the chosen file: the file itself may be temporary, and some browsers store only where it is. */
const copies = new WeakMap<File, Promise<File>>();

function copyOf(photo: File): Promise<File> {
  const { name, type, lastModified } = photo;
  const copy =
    copies.get(photo) ?? photo.arrayBuffer().then((bytes) => new File([bytes], name, { type, lastModified }));
  copies.set(photo, copy);
  return copy;
}

let last: Promise<unknown> = Promise.resolve();
/** One after another, since a copy takes longer for some photographs than for others. */
function inOrder<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}

/** Replaces the kept photographs of a row. Without room for them, or where the browser forbids it, nothing is kept. */
export async function keepPhotos(address: string, row: string, photos: readonly File[]): Promise<void> {
  if (!keepsPhotos()) return;
  const key = keyOf(address, row);
  await inOrder(async () => {
    const kept: Kept = { key, photos: await Promise.all(photos.map(copyOf)), at: Date.now() };
    await transact(DATABASE, async (store) => {
      if (photos.length === 0) await resultOf(store!.delete(key));
      else await resultOf(store!.put(kept));
    });
  }).catch(() => {});
}

/**
 * The kept photographs by row. Those of rows that take nothing more are forgotten, as are those of all links after a week.
 * @param rows the rows of the link that take photographs.
 */
export async function keptPhotos(
  address: string,
  rows: readonly string[],
): Promise<Map<string, readonly File[]>> {
  const found = new Map<string, readonly File[]>();
  if (!keepsPhotos()) return found;
  const rowOf = new Map(rows.map((row) => [keyOf(address, row), row]));
  const read = async (store?: IDBObjectStore) => {
    for (const { key, photos, at } of (await resultOf(store!.getAll())) as Kept[]) {
      const row = rowOf.get(key);
      const isOld = Math.abs(Date.now() - at) > KEPT_MS;
      if (isOld || (row === undefined && key.startsWith(`${address} `))) await resultOf(store!.delete(key));
      else if (row !== undefined) found.set(row, photos);
    }
  };
  await inOrder(() => transact(DATABASE, read)).catch(() => {});
  return found;
}
