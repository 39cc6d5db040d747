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

/** A field that a document type has but that was not read in this document. */
const emptyField = (id: string) =>
  Object.hasOwn(FIELD_KINDS, id)
    ? { key: id, kind: FIELD_KINDS[id as keyof typeof FIELD_KINDS], value: null }
    : undefined;

/**
 * The answers about a document after these changes.
 * @throws {AppError} 422 by field id for fields that do not exist or values of the wrong kind.
 */
export function applyChanges(
  { type, period, fields }: Combined,
  answers: Answers,
  changes: readonly FieldChange[],
  author: Pick<Answer, 'by' | 'at'>,
): Answers {
  const existing = new Map([type, period, ...fields].map((field) => [field.id, field]));
  const next = new Map(Object.entries(answers));
  const errors: FieldErrors = {};
  for (const change of changes) {
    const { id, answer } = change;
    const field = existing.get(id) ?? (answer === 'corrected' ? emptyField(id) : undefined);
    if (answer === null) {
      next.delete(id);
      continue;
    }
    const parsed = field ? valueOf(field, change) : { fault: 'There is no such value in this document' };
    if ('fault' in parsed) errors[id] = [parsed.fault];
    else {
      const { key, kind } = field!;
      next.set(id, { what: answer, value: parsed.value, key, kind, ...author });
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return Object.fromEntries(next);
}

/** The audit events of the changes, each with a count of values. They never say which values, nor what they are. */
export function auditEventsOf(changes: readonly FieldChange[]): [did: `field.${string}`, values: number][] {
  const DID = { corrected: 'correct', confirmed: 'confirm', cleared: 'clear' } as const;
  const counts = Map.groupBy(changes, ({ answer }) =>
    answer === null ? ('field.take_back' as const) : (`field.${DID[answer]}` as const),
  );
  return [...counts].map(([did, group]) => [did, group.length]);
}
