import type { DocumentType, FieldKey, RecognisedField, RecognisedTable } from '../contract.ts';
import type { Label, LabelCandidate, LocatedValue } from '../layout/labels.ts';
import type { Layout, Word } from '../layout/page.ts';

/** How to find a field: labels alone, or labels and the position of the value. */
export type FieldRule = string | Omit<Label, 'kind' | 'name'>;

/** The state of reading the fields of a document of known type. */
export interface Reading {
  layout: Layout;
  type: DocumentType;
  candidates: LabelCandidate[];
  fields: RecognisedField[];
  tables: RecognisedTable[];
  /** The value of a field that was already found. */
  value: (key: FieldKey) => string | undefined;
  /** Finds a label with a value that fits the field. */
  locate: (key: FieldKey, rule: FieldRule) => LocatedValue | null;
  isLabel: (text: string) => boolean;
  /** Adds a field whose value consists of these words. */
  add: (
    key: FieldKey,
    value: string,
    words: readonly Word[],
    page: number,
    rule: string,
    sure?: number,
  ) => void;
}

/** Evidence for a type: `title` must begin a cell near the top, the others may be anywhere. */
interface Cues {
  title?: RegExp;
  /** The first line of a table that occurs only in such documents, which counts like a title; null for none. */
  table?: (layout: Layout) => number | null;
  /** Each counts a little. */
  words?: RegExp[];
  /** Evidence against a type; each counts as much as a title. */
  not?: RegExp[];
  /** Whether the document is of another kind, whatever its words say. */
  unless?: (layout: Layout) => boolean;
}

/** The rules for recognising and reading a document type. */
export interface TypeRules {
  type: DocumentType;
  cues: Cues;
  /** The first rule of a field that matches decides. */
  fields?: Partial<Record<FieldKey, FieldRule | FieldRule[]>>;
  /** Lines in which labels are ignored. */
  skips?: (layout: Layout) => ReadonlySet<number>;
  /** Reads what labels alone cannot find. */
  more?: (reading: Reading) => void;
}
