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
  /** The keys of the entries whose answer was refused, and which the user has not seen again since. */
  refused: ReadonlySet<string>;
  /** Whether all entries have been passed, and only the refused ones are shown again. */
  isRevisiting: boolean;
  /** How many answers were taken back: with each the field begins anew, since it may show the answer. */
  takenBack: number;
  /** Documents of earlier batches with skipped values; the server must not return them again. */
  skip: readonly number[];
}

export type ReviewAction =
  /** The next batch was loaded. */
  | { type: 'loaded'; entries: readonly Entry[] }
  | { type: 'answered'; key: string }
  /** The answer could not be saved: the entry is shown again after the others, since the user is typing in another one. */
  | { type: 'failed'; key: string }
  /** The answer was taken back: the entry is shown again. */
  | { type: 'takenBack'; key: string }
  | { type: 'later' }
  | { type: 'back' }
  | { type: 'restart' };

export const START: Progress = {
  entries: [],
  past: 0,
  at: 0,
  answered: new Set(),
  refused: new Set(),
  isRevisiting: false,
  takenBack: 0,
  skip: [],
};
/** Entries of the batch before that are kept for going back. */
const MAX_PAST = 20;

/** The index of the first unanswered entry from `from` on; the length of the list when there is none. */
function nextUnanswered({ entries, answered }: Pick<Progress, 'entries' | 'answered'>, from: number): number {
  const found = entries.findIndex((entry, index) => index >= from && !answered.has(keyOf(entry)));
  return found < 0 ? entries.length : found;
}

const without = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  new Set([...keys].filter((other) => other !== key));

/** The state with the next entry to answer: the first unanswered one from `from` on, or else a refused one. */
function goOn(now: Progress, from: number): Progress {
  const end = now.entries.length;
  const next = now.isRevisiting ? end : nextUnanswered(now, from);
  const refused = now.entries.findIndex((entry) => now.refused.has(keyOf(entry)));
  return next === end && refused >= 0 ? { ...now, at: refused, isRevisiting: true } : { ...now, at: next };
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
      const answered = new Set(past.map(keyOf));
      return { ...START, entries, past: past.length, at: past.length, answered, skip };
    }
    case 'answered': {
      const answered = new Set(now.answered).add(step.key);
      const next = { ...now, answered, refused: without(now.refused, step.key) };
      const current = now.entries[now.at];
      // The user may have gone on while it was saved.
      return current && keyOf(current) !== step.key ? next : goOn(next, now.at);
    }
    case 'failed': {
      const answered = without(now.answered, step.key);
      const index = now.entries.findIndex((entry) => keyOf(entry) === step.key);
      // An entry that is no longer in the list cannot be shown; the server will return it again.
      if (index < 0) return now;
      // The user has gone back to it, and sees it already.
      if (index === now.at) return { ...now, answered };
      const refused = new Set(now.refused).add(step.key);
      return now.at < now.entries.length
        ? { ...now, answered, refused }
        : goOn({ ...now, answered, refused }, now.at);
    }
    case 'takenBack': {
      const answered = without(now.answered, step.key);
      const index = now.entries.findIndex((entry) => keyOf(entry) === step.key);
      const takenBack = now.takenBack + 1;
      return index < 0 ? now : { ...now, answered, at: index, isRevisiting: false, takenBack };
    }
    case 'later': {
      const entry = now.entries[now.at];
      return goOn(entry ? { ...now, refused: without(now.refused, keyOf(entry)) } : now, now.at + 1);
    }
    case 'back': {
      // Answered entries are not skipped, so that the user can correct the last answer.
      return now.at === 0 ? now : { ...now, at: now.at - 1, isRevisiting: false };
    }
    case 'restart':
      return START;
  }
}
