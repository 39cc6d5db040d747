import { buffer } from 'node:stream/consumers';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { inNamed, newestTexts } from '#server/db/document-text.ts';
import type { Documents } from '#server/documents/service.ts';
import { isVisible } from '#server/visibility/visible.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';
import type { TextHit, TextHits } from './contract.ts';
import type { TextKeys } from './keys.ts';
import type { KeptText, KeptWords } from './packed.ts';
import { unpackText, unpackWords } from './packed.ts';
import type { Part } from './query.ts';
import { isHead, partsOf, questionOf } from './query.ts';
import type { ReadingQueue } from './queue.ts';
import type { Snippet } from './snippets.ts';
import { snippetOf } from './snippets.ts';

/** Texts that are opened for one query where words may go on: the index knows their first letters only. */
const OPENED = 60;

interface Row {
  id: number;
  sha256: string;
  blob_id: string;
}

/** A condition on the items `i`, with what it is bound to. */
export interface Within {
  sql: string;
  bindings: readonly Knex.RawBinding[];
}

export interface FindParts {
  db: Knex;
  blobs: BlobStore;
  keys: TextKeys;
  queue: ReadingQueue;
  documents: Pick<Documents, 'views'>;
}

/** Finds files by what they say. */
export function createFinder({ db, blobs, keys, queue, documents }: FindParts) {
  async function unsealed<T>(
    firmId: number,
    { sha256, blob_id }: Pick<Row, 'sha256' | 'blob_id'>,
    unpack: (packed: Buffer) => T,
  ): Promise<T | null> {
    try {
      return unpack(await buffer(await blobs.get(blob_id)));
    } catch (error) {
      if (!(error instanceof BlobCorrupt || error instanceof BlobMissing)) throw error;
      await queue.again(firmId, sha256);
      return null;
    }
  }

  /** What was read of a file; null when its bytes are lost: then it is read again. */
  const opened = (firmId: number, row: Pick<Row, 'sha256' | 'blob_id'>): Promise<KeptText | null> =>
    unsealed(firmId, row, unpackText);

  /** As `opened`, with what is known of each word. */
  const withWords = (firmId: number, row: Pick<Row, 'sha256' | 'blob_id'>) =>
    unsealed(firmId, row, (packed): { text: KeptText; words: KeptWords[] } => ({
      text: unpackText(packed),
      words: unpackWords(packed),
    }));

  async function rowsOf(
    actor: Actor,
    parts: readonly Part[],
    { heads, limit, within }: { heads: boolean; limit: number; within: Within | undefined },
  ): Promise<Row[]> {
    const hash = await keys.hasherOf(actor.firmId);
    return newestTexts(db, 'i.id, t.sha256, t.blob_id', {
      firmId: actor.firmId,
      question: questionOf(parts, hash, { heads }),
      limit,
      condition: [isVisible(actor, 'i'), within?.sql ?? ''].filter(Boolean).join(' AND '),
      bindings: within?.bindings ?? [],
    });
  }

  return {
    opened,
    withWords,

    /** The newest files that hold every whole word of a query; what only begins so is not among them. */
    async ids(actor: Actor, query: string, limit: number, within?: Within): Promise<number[]> {
      const parts = partsOf(query);
      if (parts.length === 0) return [];
      return (await rowsOf(actor, parts, { heads: false, limit, within })).map(({ id }) => id);
    },

    /** What asks the index for texts that name a year of accounts. */
    async yearQuestion(firmId: number, start: number): Promise<string> {
      return inNamed((await keys.hasherOf(firmId))('named', `year ${start}`));
    },

    /**
     * The files that the actor sees and that hold every word of a query, in any order; phrases stand in quotation marks.
     * The newest first, whole words before such as only begin so.
     */
    async find(actor: Actor, query: string, limit: number, within?: Within): Promise<TextHits> {
      const parts = partsOf(query);
      if (parts.length === 0) return { hits: [], more: false };
      const found = new Map<number, Snippet>();
      const look = async (rows: readonly Row[], heads: boolean): Promise<void> => {
        for (const row of rows) {
          if (found.size > limit) return;
          if (found.has(row.id)) continue;
          const kept = await opened(actor.firmId, row);
          const snippet = kept && snippetOf(kept, parts, { heads });
          if (snippet) found.set(row.id, snippet);
        }
      };
      await look(await rowsOf(actor, parts, { heads: false, limit: limit + 1, within }), false);
      if (found.size <= limit && parts.some(isHead))
        await look(await rowsOf(actor, parts, { heads: true, limit: OPENED + limit, within }), true);
      const ids = [...found.keys()];
      const views = await documents.views(actor, ids.slice(0, limit));
      const hits = views.map((item): TextHit => ({ item, ...found.get(item.id)! }));
      return { hits, more: ids.length > limit };
    },
  };
}
export type Finder = ReturnType<typeof createFinder>;
