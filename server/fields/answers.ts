import type { FieldErrors } from '#server/http/errors.ts';
import { invalid } from '#server/http/errors.ts';
import type { Answer, Answers, Combined } from './combine.ts';
import { DOCUMENT_TYPES, FIELD_KINDS } from '#server/recognition/contract.ts';
import { TYPE } from './combine.ts';
import type { FieldChange } from './contract.ts';
import type { Parsed } from './values.ts';
import { parseValue } from './values.ts';

function valueOf(
  { value: read, kind, key }: { value: string | null; kind: Answer['kind']; key: string },
  { answer, value, id }: FieldChange,
): Parsed | { value: null } {
  if (answer === 'cleared') return { value: null };
  if (answer === 'confirmed')
    return read === null ? { fault: 'There is no value here to confirm' } : { value: read };
  if (id === TYPE)
    return Object.hasOwn(DOCUMENT_TYPES, value ?? '')
      ? { value: value! }
      : { fault: 'Choose a type from the list' };
  return parseValue(kind, key, value ?? '');
}

/** A value that a document of some type has, and that was not read in this one. */
const unread = (id: string) =>
  Object.hasOwn(FIELD_KINDS, id)
    ? { key: id, kind: FIELD_KINDS[id as keyof typeof FIELD_KINDS], value: null }
    : undefined;

/**
 * What is said of a document once these changes are made.
 * @throws {AppError} 422 on the ids of values that are not there or are none of their kind.
 */
export function answered(
  { type, period, fields }: Combined,
  answers: Answers,
  changes: readonly FieldChange[],
  by: Pick<Answer, 'by' | 'at'>,
): Answers {
  const there = new Map([type, period, ...fields].map((field) => [field.id, field]));
  const next = new Map(Object.entries(answers));
  const errors: FieldErrors = {};
  for (const change of changes) {
    const { id, answer } = change;
    const field = there.get(id) ?? (answer === 'corrected' ? unread(id) : undefined);
    if (answer === null) {
      next.delete(id);
      continue;
    }
    const given = field ? valueOf(field, change) : { fault: 'There is no such value in this document' };
    if ('fault' in given) errors[id] = [given.fault];
    else {
      const { key, kind } = field!;
      next.set(id, { what: answer, value: given.value, key, kind, ...by });
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return Object.fromEntries(next);
}

/** What the history calls the changes, each with how many values. It never says which, nor what they are. */
export function didOf(changes: readonly FieldChange[]): [did: `field.${string}`, values: number][] {
  const DID = { corrected: 'correct', confirmed: 'confirm', cleared: 'clear' } as const;
  const counts = Map.groupBy(changes, ({ answer }) =>
    answer === null ? ('field.take_back' as const) : (`field.${DID[answer]}` as const),
  );
  return [...counts].map(([did, some]) => [did, some.length]);
}
