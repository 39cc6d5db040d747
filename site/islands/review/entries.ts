import type { FieldView, ReviewDocument } from '#server/fields/contract.ts';
import { editableValue } from '../../lib/fieldValues.ts';

/** One value that waits, with the document that it stands in. */
export interface Entry {
  document: ReviewDocument;
  field: FieldView;
}

export const entriesOf = (documents: readonly ReviewDocument[]): Entry[] =>
  documents.flatMap((document) => document.fields.map((field) => ({ document, field })));

export const keyOf = ({ document, field }: Entry): string => `${document.item.id} ${field.id}`;

/** A value as somebody would write it. */
export const writtenOf = ({ field }: Entry): string =>
  field.id === 'type' ? (field.value ?? '') : editableValue(field.kind, field.value ?? '');

/** Where one is among the values that were given, what was said of them, and what was left. */
export interface Progress {
  /** The batch, and before it what was answered last of the one before: one may go back to it. */
  entries: readonly Entry[];
  /** How many of them are of the batch before. */
  past: number;
  at: number;
  /** Keys of those that were answered. */
  answered: ReadonlySet<string>;
  /** Documents of earlier batches in which something was left, not to be given again. */
  skip: readonly number[];
}

export type Step =
  /** The next batch has come. */
  | { type: 'given'; entries: readonly Entry[] }
  | { type: 'answered'; key: string }
  /** It was not kept: one is led back to it. */
  | { type: 'failed'; key: string }
  | { type: 'later' }
  | { type: 'back' }
  | { type: 'restart' };

export const START: Progress = { entries: [], past: 0, at: 0, answered: new Set(), skip: [] };
/** So many values one may go back over the beginning of a batch. */
const KEPT = 20;

/** The first one from a place on that nobody has answered yet; the end when there is none. */
function unanswered({ entries, answered }: Pick<Progress, 'entries' | 'answered'>, from: number): number {
  const at = entries.findIndex((entry, place) => place >= from && !answered.has(keyOf(entry)));
  return at < 0 ? entries.length : at;
}

/** Documents of which something was left. */
const leftIn = ({ entries, answered }: Progress): number[] => [
  ...new Set(entries.filter((entry) => !answered.has(keyOf(entry))).map(({ document }) => document.item.id)),
];

export function walk(now: Progress, step: Step): Progress {
  switch (step.type) {
    case 'given': {
      const skip = [...new Set([...now.skip, ...leftIn(now)])];
      const given = new Set(step.entries.map(keyOf));
      const past = now.entries
        .filter((entry) => now.answered.has(keyOf(entry)) && !given.has(keyOf(entry)))
        .slice(-KEPT);
      const entries = [...past, ...step.entries];
      return { entries, past: past.length, at: past.length, answered: new Set(past.map(keyOf)), skip };
    }
    case 'answered': {
      const answered = new Set(now.answered).add(step.key);
      return { ...now, answered, at: unanswered({ entries: now.entries, answered }, now.at) };
    }
    case 'failed': {
      const answered = new Set([...now.answered].filter((key) => key !== step.key));
      const at = now.entries.findIndex((entry) => keyOf(entry) === step.key);
      // Of what is gone nothing can be shown again; it waits in the list as before.
      return at < 0 ? now : { ...now, answered, at };
    }
    case 'later':
      return { ...now, at: unanswered(now, now.at + 1) };
    case 'back': {
      // Also to one that is answered: who pressed a key too many changes what was said.
      return now.at === 0 ? now : { ...now, at: now.at - 1 };
    }
    case 'restart':
      return START;
  }
}
