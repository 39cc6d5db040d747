import { buffer } from 'node:stream/consumers';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { inNamed, newestTexts } from '#server/db/document-text.ts';
import type { Documents } from '#server/documents/service.ts';
import { andReadable } from '#server/visibility/readable.ts';
import { isVisible } from '#server/visibility/visible.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';
import type { TextHit, TextHits } from './contract.ts';
import type { TextKeys } from './keys.ts';
import type { StoredText, StoredWords } from './stored-text.ts';
import { unpackText, unpackWords } from './stored-text.ts';
import type { Part } from './query.ts';
import { mayBePrefix, parseQuery, matchExpression } from './query.ts';
import type { ReadingQueue } from './queue.ts';
import type { Snippet } from './snippets.ts';
import { snippetOf } from './snippets.ts';

/** Texts loaded to verify prefix matches: the index knows only the first letters of a word. */
const PREFIX_CANDIDATES = 60;

interface Row {
  id: number;
  sha256: string;
  blob_id: string;
}

/** An SQL condition on the items `i`, with its bindings. */
export interface Within {
  sql: string;
  bindings: readonly Knex.RawBinding[];
}

interface TextSearchDependencies {
  db: Knex;
  blobs: BlobStore;
  keys: TextKeys;
  queue: ReadingQueue;
  documents: Pick<Documents, 'views'>;
}

/** Full-text search in the texts of files. */
export function createTextSearch({ db, blobs, keys, queue, documents }: TextSearchDependencies) {
  async function load<T>(
    firmId: number,
    { sha256, blob_id }: Pick<Row, 'sha256' | 'blob_id'>,
    unpack: (packed: Buffer) => T,
  ): Promise<T | null> {
    try {
      return unpack(await buffer(await blobs.get(blob_id)));
    } catch (error) {
      if (!(error instanceof BlobCorrupt || error instanceof BlobMissing)) throw error;
      await queue.enqueue(firmId, sha256);
      return null;
    }
  }

  /** The stored text of a file; null when its bytes are lost: then it is queued to be read again. */
  const loadText = (firmId: number, row: Pick<Row, 'sha256' | 'blob_id'>): Promise<StoredText | null> =>
    load(firmId, row, unpackText);

  /** As `loadText`, with the details of each word. */
  const loadTextAndWords = (firmId: number, row: Pick<Row, 'sha256' | 'blob_id'>) =>
    load(firmId, row, (packed): { text: StoredText; words: StoredWords[] } => ({
      text: unpackText(packed),
      words: unpackWords(packed),
    }));

  async function matchingTexts(
    actor: Actor,
    parts: readonly Part[],
    { prefixes, limit, within }: { prefixes: boolean; limit: number; within: Within | undefined },
  ): Promise<Row[]> {
    const hash = await keys.hasherOf(actor.firmId);
    return newestTexts(db, 'i.id, t.sha256, t.blob_id', {
      firmId: actor.firmId,
      matchExpression: matchExpression(parts, hash, { prefixes }),
      limit,
      condition: [`${isVisible(actor, 'i') || 'true'}${andReadable(actor, 'i.sha256')}`, within?.sql ?? '']
        .filter(Boolean)
        .join(' AND '),
      bindings: within?.bindings ?? [],
    });
  }

  return {
    loadText,
    loadTextAndWords,

    /** The newest files that contain every part of a query as whole words; prefixes do not count. */
    async ids(actor: Actor, query: string, limit: number, within?: Within): Promise<number[]> {
      const parts = parseQuery(query);
      if (parts.length === 0) return [];
      return (await matchingTexts(actor, parts, { prefixes: false, limit, within })).map(({ id }) => id);
    },

    /** The index expression for texts that name a financial year. */
    async yearExpression(firmId: number, start: number): Promise<string> {
      return inNamed((await keys.hasherOf(firmId))('named', `year ${start}`));
    },

    /**
     * The files that the actor sees and whose text contains every part of a query, in any order; a phrase is in
     * quotation marks. Whole words are listed before prefixes, and the newest first.
     */
    async find(actor: Actor, query: string, limit: number, within?: Within): Promise<TextHits> {
      const parts = parseQuery(query);
      if (parts.length === 0) return { hits: [], more: false };
      const snippets = new Map<number, Snippet>();
      const collect = async (rows: readonly Row[], prefixes: boolean): Promise<void> => {
        for (const row of rows) {
          if (snippets.size > limit) return;
          if (snippets.has(row.id)) continue;
          const text = await loadText(actor.firmId, row);
          const snippet = text && snippetOf(text, parts, { prefixes });
          if (snippet) snippets.set(row.id, snippet);
        }
      };
      await collect(await matchingTexts(actor, parts, { prefixes: false, limit: limit + 1, within }), false);
      if (snippets.size <= limit && parts.some(mayBePrefix))
        await collect(
          await matchingTexts(actor, parts, { prefixes: true, limit: PREFIX_CANDIDATES + limit, within }),
          true,
        );
      const ids = [...snippets.keys()];
      const views = await documents.views(actor, ids.slice(0, limit));
      const hits = views.map((item): TextHit => ({ item, ...snippets.get(item.id)! }));
      return { hits, more: ids.length > limit };
    },
  };
}
export type TextSearch = ReturnType<typeof createTextSearch>;
