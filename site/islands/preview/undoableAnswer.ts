import type { FieldChange, FieldsView, FieldView } from '#server/fields/contract.ts';
import * as t from '#messages/fields.ts';
import { editableValue, nameOfField } from '../../lib/fieldValues.ts';
import { toast } from '../../lib/toast.ts';
import { fieldError } from '../fields/fieldError.ts';
import { lastAct } from './lastAct.ts';

type Answering = (change: FieldChange) => Promise<FieldsView>;

const fieldOf = ({ type, period, fields }: FieldsView, id: string): FieldView | undefined =>
  [type, period, ...fields].find((field) => field.id === id);

/** The changes that lead from `now` back to the field as it was: without an answer, or with that which it had. */
function changesBack(id: string, before: FieldView | undefined, now: string | null): FieldChange[] {
  const had = before?.answer?.what;
  if (had === 'corrected') {
    const value = id === 'type' ? (before!.value ?? '') : editableValue(before!.kind, before!.value ?? '');
    return [{ id, seen: now, answer: had, value }];
  }
  if (had === 'cleared') return [{ id, seen: now, answer: had }];
  const read: FieldChange = { id, seen: now, answer: null };
  // Only what was read can be confirmed.
  return had === 'confirmed' ? [read, { id, seen: before!.value, answer: had }] : [read];
}

/** Answers a value so that Ctrl+Z takes the answer back, also from the next file. */
export function undoableAnswer(view: FieldsView, answer: Answering) {
  return async (change: FieldChange): Promise<void> => {
    const { id } = change;
    const before = fieldOf(view, id);
    const now = fieldOf(await answer(change), id);
    const takeBack = async (): Promise<void> => {
      const changes = changesBack(id, before, now?.value ?? null);
      try {
        for (const one of changes) await answer(one);
        const named = before ?? now;
        toast.success(t.takenBack(id === 'type' || !named ? t.type : nameOfField(named)));
      } catch (failure) {
        // The other errors are told already.
        if (changes.at(-1)!.answer === 'corrected' && id !== 'type') toast.error(fieldError(failure, id));
      }
    };
    lastAct.current = { what: 'answered', takeBack };
  };
}
