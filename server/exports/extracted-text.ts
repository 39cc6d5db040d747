import type { Readable } from 'node:stream';
import type { Actor } from '#server/actor.ts';
import { RECORD_HEADINGS } from '#server/fields/contract.ts';
import type { Fields } from '#server/fields/service.ts';
import { CSV_START, csvLine } from '#server/text/csv.ts';
import type { Reading } from '#server/reading/service.ts';

/** The sources of extracted texts and recognised fields. */
export interface ExtractedText {
  texts: Reading['packed'];
  fields: Fields['records'];
}

interface File {
  id: number;
  /** The names of its folders from the top, then its own. */
  path: readonly string[];
  sha256: string;
}

const BATCH_FILES = 200;

/** Collects, while the files are walked, a CSV table of recognised fields and the extracted text of each file that has one. */
export function collectExtractedText(actor: Actor, { texts: textsOf, fields: fieldsOf }: ExtractedText) {
  const lines = [CSV_START + csvLine(['Path', ...RECORD_HEADINGS])];
  const texts: { path: string[]; size: number; open: () => Promise<Readable> }[] = [];
  let batch: File[] = [];

  async function processBatch(): Promise<void> {
    const files = batch;
    batch = [];
    const records = await fieldsOf(
      actor,
      files.map(({ id }) => id),
    );
    const textBySha256 = await textsOf(actor, [...new Set(files.map(({ sha256 }) => sha256))]);
    for (const { id, path, sha256 } of files) {
      const joinedPath = path.join('/');
      for (const cells of records.get(id) ?? []) lines.push(csvLine([joinedPath, ...cells]));
      const text = textBySha256.get(sha256);
      if (text) texts.push({ path: [...path.slice(0, -1), `${path.at(-1)}.json.gz`], ...text });
    }
  }

  return {
    async add(file: File): Promise<void> {
      batch.push(file);
      if (batch.length >= BATCH_FILES) await processBatch();
    },
    async finish() {
      await processBatch();
      return { fields: lines.join(''), texts };
    },
  };
}
