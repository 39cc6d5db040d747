import type { DocumentType, FieldKey, RecognisedField, RecognisedTable } from '../contract.ts';
import type { Label, Located, Spot } from '../layout/labels.ts';
import type { Layout, Word } from '../layout/page.ts';

/** How a field is found: labels alone, or with more said of where its value stands. */
export type FieldRule = string | Omit<Label, 'kind' | 'name'>;

/** A document of a known type, while its fields are read. */
export interface Reading {
  layout: Layout;
  type: DocumentType;
  spots: Spot[];
  fields: RecognisedField[];
  tables: RecognisedTable[];
  /** The value of a field that was found already. */
  value: (key: FieldKey) => string | undefined;
  /** Where a label stands with a value that a field of this key could have. */
  locate: (key: FieldKey, rule: FieldRule) => Located | null;
  isLabel: (text: string) => boolean;
  /** Adds a field whose value stands in these words. */
  add: (
    key: FieldKey,
    value: string,
    words: readonly Word[],
    page: number,
    rule: string,
    sure?: number,
  ) => void;
}

/** What speaks for a type: `title` stands at the beginning of a cell near the top, the others anywhere. */
export interface Cues {
  title?: RegExp;
  /** The line at which a table begins that only such documents have: it speaks as a title does. Null for none. */
  table?: (layout: Layout) => number | null;
  /** Each of them a little. */
  words?: RegExp[];
  /** What speaks against it, each as much as a title speaks for it. */
  not?: RegExp[];
}

/** How a type is known and read. */
export interface TypeRules {
  type: DocumentType;
  cues: Cues;
  /** The first rule of a field that finds something decides. */
  fields?: Partial<Record<FieldKey, FieldRule | FieldRule[]>>;
  /** Lines in which no label stands, though the words are there. */
  skips?: (layout: Layout) => ReadonlySet<number>;
  /** What needs more than labels. */
  more?: (reading: Reading) => void;
}
