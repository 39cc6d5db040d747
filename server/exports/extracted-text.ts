import type { Readable } from 'node:stream';
import type { Actor } from '#server/actor.ts';
import { RECORD_HEADINGS } from '#server/fields/contract.ts';
import type { Fields } from '#server/fields/service.ts';
import { CSV_START, csvLine } from '#server/http/csv.ts';
import type { Reading } from '#server/reading/service.ts';

/** Where what was read of files comes from. */
export interface ExtractedText {
  texts: Reading['packed'];
  fields: Fields['records'];
}

interface File {
  id: number;
  /** Names from the top down to the file. */
  path: readonly string[];
  sha256: string;
}

/** Files that are asked about at once. */
const AT_ONCE = 200;

/** What was read of files, gathered while they are walked through: a table of values, and a text for each that has one. */
export function gatherExtractedText(actor: Actor, { texts: textsOf, fields: fieldsOf }: ExtractedText) {
  const lines = [CSV_START + csvLine(['Path', ...RECORD_HEADINGS])];
  const texts: { path: string[]; size: number; open: () => Promise<Readable> }[] = [];
  let waiting: File[] = [];

  async function look(): Promise<void> {
    const files = waiting;
    waiting = [];
    const records = await fieldsOf(
      actor,
      files.map(({ id }) => id),
    );
    const kept = await textsOf(actor, [...new Set(files.map(({ sha256 }) => sha256))]);
    for (const { id, path, sha256 } of files) {
      const place = path.join('/');
      for (const cells of records.get(id) ?? []) lines.push(csvLine([place, ...cells]));
      const text = kept.get(sha256);
      if (text) texts.push({ path: [...path.slice(0, -1), `${path.at(-1)}.json.gz`], ...text });
    }
  }

  return {
    async tell(file: File): Promise<void> {
      waiting.push(file);
      if (waiting.length >= AT_ONCE) await look();
    },
    /** Of what was told so far. */
    async all() {
      await look();
      return { fields: lines.join(''), texts };
    },
  };
}
