import { resultOf, transact } from '../indexedDb.ts';
import { randomId } from './randomId.ts';

/** A photograph that is chosen and has not arrived, which is written once; or the order of those of a row. */
interface Kept {
  /** The address of the link, the row and, of a photograph, an id. */
  key: string;
  /** The photograph. An earlier version kept all of a row with their order. */
  photos: readonly File[];
  /** The keys of the photographs. */
  order?: readonly string[];
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

/** A phone or tablet, unlike a computer, which others may use too. */
export const isHandheld = (): boolean => matchMedia('(pointer: coarse)').matches;

/**
 * Whether the device keeps photographs: a phone or tablet, whose photographs may be nowhere else and which often ends a page
 * that is not in front. On a computer files are chosen from a folder and stay there.
 */
const keepsPhotos = (): boolean => 'indexedDB' in globalThis && isHandheld();

/** The keys of the photographs that are written. */
const keys = new WeakMap<File, string>();

/** Whether a page that is loaded anew offers the photograph again. */
export const isKept = (photo: File): boolean => keys.has(photo);

/** The file itself may be temporary, and some browsers store only where it is. */
async function copyOf(photo: File): Promise<File> {
  const { name, type, lastModified } = photo;
  return new File([await photo.arrayBuffer()], name, { type, lastModified });
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
    const added = photos.filter((photo) => !keys.has(photo));
    const addedKeys = new Map(added.map((photo) => [photo, `${key} ${randomId()}`]));
    try {
      const copies = await Promise.all(added.map(copyOf));
      const order = photos.map((photo) => keys.get(photo) ?? addedKeys.get(photo)!);
      const wanted = new Set<IDBValidKey>(order);
      await transact(DATABASE, async (store) => {
        const put = (kept: Omit<Kept, 'at'>) => resultOf(store!.put({ ...kept, at: Date.now() }));
        for (const [index, photo] of added.entries())
          await put({ key: addedKeys.get(photo)!, photos: [copies[index]!] });
        const all = await resultOf(store!.getAllKeys(IDBKeyRange.bound(`${key} `, `${key} \uffff`)));
        for (const other of all) if (!wanted.has(other)) await resultOf(store!.delete(other));
        if (photos.length === 0) await resultOf(store!.delete(key));
        else await put({ key, photos: [], order });
      });
      for (const [photo, its] of addedKeys) keys.set(photo, its);
    } catch {
      // The page asks before they are lost.
    }
  });
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
    const all = (await resultOf(store!.getAll())) as Kept[];
    const photosOf = new Map(all.map(({ key, photos }) => [key, photos]));
    for (const { key, photos, order, at } of all) {
      const row = rowOf.get(key);
      const isOld = Math.abs(Date.now() - at) > KEPT_MS;
      const isTaken = rowOf.has(key.split(' ', 2).join(' '));
      if (isOld || (!isTaken && key.startsWith(`${address} `))) await resultOf(store!.delete(key));
      else if (row === undefined) for (const photo of photos) keys.set(photo, key);
      else found.set(row, order ? order.flatMap((one) => photosOf.get(one) ?? []) : photos);
    }
  };
  await inOrder(() => transact(DATABASE, read)).catch(() => {});
  return found;
}
