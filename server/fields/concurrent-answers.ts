import { ago } from '#server/text/ago.ts';
import type { Combined, CombinedField } from './combine.ts';
import type { FieldChange, FieldView } from './contract.ts';

const find = ({ type, period, fields }: Combined, id: string): CombinedField | undefined =>
  [type, period, ...fields].find((field) => field.id === id);

/**
 * The first value that is no longer as the user saw it, and that these changes would overwrite. Writing what is there
 * already overwrites nothing, but who confirms a value says that the seen one is right.
 */
export function changedSince(
  before: Combined,
  after: Combined,
  changes: readonly FieldChange[],
): { now: CombinedField | undefined } | null {
  for (const { id, answer, seen } of changes) {
    const now = find(before, id);
    const value = now?.value ?? null;
    if (seen === undefined || seen === value) continue;
    if (answer === 'confirmed' || value !== (find(after, id)?.value ?? null)) return { now };
  }
  return null;
}

/** Says who changed a value. @param isOwn the user did, perhaps in another tab. */
export function describeAnswer(answer: FieldView['answer'], isOwn: boolean, now: Date): string {
  if (!answer) return 'This value has changed in the meantime. Yours is not saved.';
  const when = ago(answer.at, now);
  return isOwn
    ? `You changed this value elsewhere ${when}. This one is not saved.`
    : `Changed by ${answer.by || 'a former colleague'} ${when}. Your value is not saved.`;
}
