import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { createColumnSealer, SEALED } from '#server/db/column-encryption.ts';
import type { TextEntry } from '#server/db/document-text.ts';
import { putText } from '#server/db/document-text.ts';
import { indexEntry } from '#server/reading/index-entry.ts';
import { createTextKeys } from '#server/reading/keys.ts';
import { indexText } from '#server/reading/readers/index-text.ts';
import { createReading } from '#server/reading/service.ts';
import { createBuild } from '../server/testing/build.ts';
import { memoryBlobs } from '../server/testing/world.ts';
import { fillFirm } from './firms.ts';
import { openServices } from './full-database.ts';
import type { Figure } from './measure.ts';
import { cpuTimes, fixed, median, percentile } from './measure.ts';
import { scratchFolder } from './server.ts';
import { documentOf, TEXT_SIZE, textOf, vocabulary } from './texts.ts';

const FILES = Number(process.env.BENCH_TEXTS ?? 100_000);
/** The number of different texts, which repeat, since making one for each document takes minutes. */
const DIFFERENT = Math.min(FILES, 6000);
/** Other firms in the same index, and how many documents each has. */
const OTHERS = Number(process.env.BENCH_FIRMS ?? 50);
const OTHERS_FILES = 100;
/** Documents indexed in one transaction: many more than the reader indexes, so that filling takes a minute and not ten. */
const BATCH = 500;
const QUERIES = 60;
const LIMIT = 20;
const P95_MAX = 30;
const SHARE_MAX = 1.5;

const databaseBytes = async (db: Knex): Promise<number> => {
  const [[{ page_count }], [{ freelist_count }], [{ page_size }]] = [
    await db.raw('PRAGMA page_count'),
    await db.raw('PRAGMA freelist_count'),
    await db.raw('PRAGMA page_size'),
  ];
  return (page_count - freelist_count) * page_size;
};

/** Adds files with a content each to a firm, and marks their texts as read. */
async function fillTexts(
  db: Knex,
  { firmId, userId }: Actor,
  base: number,
  files: number,
): Promise<number[]> {
  await fillFirm(db, { firmId, userId, base, size: { clients: 50, folders: 100, files } });
  await db('item_rows')
    .where({ firm_id: firmId, type: 'file' })
    .update({ sha256: db.raw("printf('%064x', id)"), blob_id: db.raw("'file' || id"), file_type: 'pdf' });
  await db('document_texts')
    .where({ firm_id: firmId })
    .update({ state: 'read', blob_id: db.raw("'text' || id"), kind: 'page', pages: 1 });
  return db('document_texts').where({ firm_id: firmId }).orderBy('id').pluck('id');
}

/** A blob store that makes the stored text of a document when it is first read. */
function textBlobs() {
  const blobs = memoryBlobs();
  const made = new Map<string, string>();
  return {
    ...blobs,
    async get(id: string) {
      let blobId = made.get(id);
      if (blobId === undefined) {
        const { packed } = indexText(documentOf(Number(id.replace('text', '')) % DIFFERENT));
        blobId = (await blobs.put(Readable.from([Buffer.from(packed)]))).id;
        made.set(id, blobId);
      }
      return blobs.get(blobId);
    },
  };
}

const KINDS: Record<string, (n: number) => string> = {
  'one word': (n) => vocabulary[(n * n * 7) % 20_000]!,
  'a common word': (n) => vocabulary[n % 40]!,
  'three words': (n) =>
    [n % 30, 40 + ((n * 37) % 400), 500 + ((n * 91) % 3000)].map((index) => vocabulary[index]).join(' '),
  // Words from the middle of a document.
  'a phrase': (n) =>
    `"${textOf((n * 1603) % DIFFERENT)
      .split('\n')[9]!
      .split(' ')
      .slice(0, 3)
      .join(' ')}"`,
  'two common words as a phrase': (n) => `"${vocabulary[n % 8]} ${vocabulary[(n * 3 + 1) % 8]}"`,
  'a beginning': (n) => vocabulary[(n * n * 11) % 20_000]!.slice(0, 3 + (n % 4)),
  'two beginnings': (n) =>
    [n * 13, n * n * 29].map((index) => vocabulary[index % 20_000]!.slice(0, 4)).join(' '),
  'what is nowhere': (n) => `zzqx${n} ${vocabulary[n % 40]}`,
};

/** Measures searches in the text of 100,000 documents of 3 KB, with other firms in the database, and the size of the index. BENCH_TEXTS and BENCH_FIRMS change the numbers. */
export async function textSearch(): Promise<Figure[]> {
  const folder = await scratchFolder();
  const { db, services, close } = await openServices(folder);
  try {
    // Fast and unsafe settings, since a lost database can be filled again.
    for (const setting of ['synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -200000'])
      await db.raw(`PRAGMA ${setting}`);
    const blobs = textBlobs();
    const seal = createColumnSealer(randomBytes(32), SEALED.textIndex.purpose);
    const keys = createTextKeys({ db, seal });
    const build = createBuild({ services, blobs, db });
    /** @param cache index entries by number of the text; new ones are added. */
    const addToIndex = async (
      ids: readonly number[],
      firmId: number,
      cache = new Map<number, TextEntry>(),
    ) => {
      const hash = await keys.hasherOf(firmId);
      for (let start = 0; start < ids.length; start += BATCH)
        await db.transaction(async (trx) => {
          for (const id of ids.slice(start, start + BATCH)) {
            const n = id % DIFFERENT;
            const entry = cache.get(n) ?? (await indexEntry(id, indexText(documentOf(n)), hash));
            cache.set(n, entry);
            await putText(trx, { ...entry, id });
          }
        });
    };
    const firms: { actor: Actor; ids: number[] }[] = [];
    for (let n = 0; n <= OTHERS; n += 1) {
      const actor = await build.actor();
      const files = n === 0 ? FILES : OTHERS_FILES;
      firms.push({ actor, ids: await fillTexts(db, actor, 1_000_000 * (n + 1), files) });
    }
    const [firm, ...others] = firms;
    const { actor, ids } = firm!;
    const empty = await databaseBytes(db);
    const entries = new Map<number, TextEntry>();
    const [milliseconds] = await cpuTimes(
      1,
      () => addToIndex(ids.slice(0, DIFFERENT), actor.firmId, entries),
      0,
    );
    const share = ((await databaseBytes(db)) - empty) / (DIFFERENT * TEXT_SIZE);
    await addToIndex(ids.slice(DIFFERENT), actor.firmId, entries);
    entries.clear();
    for (const otherFirm of others) await addToIndex(otherFirm.ids, otherFirm.actor.firmId);
    const figures: Figure[] = [
      {
        name: `index of ${DIFFERENT.toLocaleString('en-IN')} documents against their text`,
        value: `${fixed(share, 2)} ×; ${fixed(milliseconds! / DIFFERENT)} ms of processor to make and put each`,
        target: { text: `at most ${SHARE_MAX} ×`, reached: share <= SHARE_MAX },
      },
    ];
    const { find } = createReading({
      ...services,
      db,
      blobs,
      clock: () => new Date(),
      log: { info() {} },
      seal,
      on: true,
    });
    for (const [kind, queryOf] of Object.entries(KINDS)) {
      const times: number[] = [];
      let hits = 0;
      for (let n = 0; n < QUERIES; n += 1) {
        const query = queryOf(n);
        // The first call makes the texts of the excerpts.
        hits += (await find(actor, query, LIMIT)).hits.length;
        times.push(...(await cpuTimes(1, () => find(actor, query, LIMIT), 0)));
      }
      const p95 = percentile(times, 95);
      figures.push({
        name: `search inside, ${kind}: CPU p50, p95; found a query`,
        value: `${fixed(median(times))}, ${fixed(p95)} ms; ${fixed(hits / QUERIES)}`,
        target: { text: `p95 ≤ ${P95_MAX} ms`, reached: p95 <= P95_MAX },
      });
    }
    return figures;
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
