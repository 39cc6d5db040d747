import { Readable } from 'node:stream';
import type { Actor } from '#server/actor.ts';
import type { Services } from '../services.ts';
import type { DataDir } from '../datadir/datadir.ts';

const CONCURRENCY = 16;
const BATCH = 400;

const KINDS = [
  'Invoice',
  'Form 16',
  'GST return',
  'Bank statement',
  'Agreement',
  'Challan',
  'Audit report',
  'Receipt',
];
const PEOPLE = [
  'Sharma',
  'Iyer',
  'Khan',
  'Patel',
  'Das',
  'Nair',
  'Singh',
  'Bose',
  'Gupta',
  'Menon',
  'Kulkarni',
];
const TYPES = ['pdf', 'xlsx', 'jpg', 'csv', 'docx'];

const nameOf = (n: number): string =>
  `${KINDS[n % KINDS.length]} ${PEOPLE[n % PEOPLE.length]} ${2018 + (n % 9)}-${String(n).padStart(6, '0')}.${TYPES[n % TYPES.length]}`;

/** Adds many small files, with bytes, in folders of `perFolder` files. */
export async function fill(
  { db, blobs }: DataDir,
  { documents }: Services,
  actor: Actor,
  { items, perFolder }: { items: number; perFolder: number },
): Promise<void> {
  const many = await documents.addFolder(actor, { name: 'Many files', parent_id: null, client_id: null });
  for (let start = 0; start < items; start += perFolder) {
    const name = `Box ${1 + start / perFolder}`;
    const box = await documents.addFolder(actor, { name, parent_id: many.id, client_id: null });
    const end = Math.min(items, start + perFolder);
    for (let first = start; first < end; first += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, end - first) }, (_, n) => first + n);
      const stored = await storeAll(numbers, (n) =>
        blobs.put(Readable.from([Buffer.from(`File number ${n}\n`)])),
      );
      // One commit for many rows: a commit waits for the disk.
      await db.transaction(async (trx) => {
        for (const [n, blob] of stored) {
          await documents.addFileWithin(trx, actor, {
            name: nameOf(n),
            parent_id: box.id,
            client_id: null,
            blob,
          });
        }
      });
    }
  }
}

async function storeAll<T>(numbers: number[], store: (n: number) => Promise<T>): Promise<[number, T][]> {
  const results: [number, T][] = [];
  const queue = numbers.values();
  const work = async () => {
    for (const n of queue) results.push([n, await store(n)]);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return results.toSorted(([a], [b]) => a - b);
}
