import type { FieldView, ReviewDocument } from '#server/fields/contract.ts';
import { editableValue } from '../../lib/fieldValues.ts';

/** A value to review, with its document. */
export interface Entry {
  document: ReviewDocument;
  field: FieldView;
}

export const entriesOf = (documents: readonly ReviewDocument[]): Entry[] =>
  documents.flatMap((document) => document.fields.map((field) => ({ document, field })));

export const keyOf = ({ document, field }: Entry): string => `${document.item.id} ${field.id}`;

/** A value as a person would write it. */
export const writtenValueOf = ({ field }: Entry): string =>
  field.id === 'type' ? (field.value ?? '') : editableValue(field.kind, field.value ?? '');

/** The state of a review. */
interface Progress {
  /** The loaded batch, preceded by the last answered values of the batch before, to which the user can go back. */
  entries: readonly Entry[];
  /** The number of entries from the batch before. */
  past: number;
  /** The index of the current entry. */
  at: number;
  /** The keys of the answered entries. */
  answered: ReadonlySet<string>;
  /** Documents of earlier batches with skipped values; the server must not return them again. */
  skip: readonly number[];
}

type ReviewAction =
  /** The next batch was loaded. */
  | { type: 'loaded'; entries: readonly Entry[] }
  | { type: 'answered'; key: string }
  /** The answer could not be saved: go back to the entry. */
  | { type: 'failed'; key: string }
  | { type: 'later' }
  | { type: 'back' }
  | { type: 'restart' };

export const START: Progress = { entries: [], past: 0, at: 0, answered: new Set(), skip: [] };
/** Entries of the batch before that are kept for going back. */
const MAX_PAST = 20;

/** The index of the first unanswered entry from `from` on; the length of the list when there is none. */
function nextUnanswered({ entries, answered }: Pick<Progress, 'entries' | 'answered'>, from: number): number {
  const found = entries.findIndex((entry, index) => index >= from && !answered.has(keyOf(entry)));
  return found < 0 ? entries.length : found;
}

/** Documents with unanswered values. */
const skippedDocuments = ({ entries, answered }: Progress): number[] => [
  ...new Set(entries.filter((entry) => !answered.has(keyOf(entry))).map(({ document }) => document.item.id)),
];

export function reduceReview(now: Progress, step: ReviewAction): Progress {
  switch (step.type) {
    case 'loaded': {
      const skip = [...new Set([...now.skip, ...skippedDocuments(now)])];
      const loaded = new Set(step.entries.map(keyOf));
      const past = now.entries
        .filter((entry) => now.answered.has(keyOf(entry)) && !loaded.has(keyOf(entry)))
        .slice(-MAX_PAST);
      const entries = [...past, ...step.entries];
      return { entries, past: past.length, at: past.length, answered: new Set(past.map(keyOf)), skip };
    }
    case 'answered': {
      const answered = new Set(now.answered).add(step.key);
      return { ...now, answered, at: nextUnanswered({ entries: now.entries, answered }, now.at) };
    }
    case 'failed': {
      const answered = new Set([...now.answered].filter((key) => key !== step.key));
      const index = now.entries.findIndex((entry) => keyOf(entry) === step.key);
      // An entry that is no longer in the list cannot be shown; the server will return it again.
      return index < 0 ? now : { ...now, answered, at: index };
    }
    case 'later':
      return { ...now, at: nextUnanswered(now, now.at + 1) };
    case 'back': {
      // Answered entries are not skipped, so that the user can correct the last answer.
      return now.at === 0 ? now : { ...now, at: now.at - 1 };
    }
    case 'restart':
      return START;
  }
}
