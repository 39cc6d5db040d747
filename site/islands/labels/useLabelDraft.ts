import { useState } from 'react';
import type { LabelColour, LabelInput, LabelView } from '#server/documents/labels/contract.ts';
import * as t from '#messages/labels.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';

const EMPTY: LabelInput = { name: '', colour: 'blue' };

/** The name and colour of a new or existing label while they are typed, and the call that saves them. */
export function useLabelDraft(call: (label: LabelInput) => Promise<LabelView>) {
  const [start, setStart] = useState(EMPTY);
  const [{ name, colour }, setDraft] = useState(EMPTY);
  const [error, setError] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);

  /** Fills the fields with a label that is to be changed. */
  function begin(label: LabelInput): void {
    setStart(label);
    setDraft(label);
    setError(undefined);
  }

  /** @returns the saved label; null if it was refused, and then the text stays in the field with the error. */
  async function save(): Promise<LabelView | null> {
    if (busy) return null;
    setBusy(true);
    try {
      const saved = await call({ name, colour });
      // The next new label begins with the same colour.
      setDraft({ name: '', colour });
      setError(undefined);
      return saved;
    } catch (failure) {
      const named = failure instanceof ApiError ? failure.errors?.['name']?.[0] : undefined;
      setError(named ?? messageOf(failure, t.saveFailed));
      return null;
    } finally {
      setBusy(false);
    }
  }

  return {
    name,
    colour,
    error,
    busy,
    /** Whether something is typed that is not saved; the colour of a label without a name is nothing yet. */
    isChanged: name.trim() !== start.name || (start.name !== '' && colour !== start.colour),
    begin,
    save,
    editName(next: string): void {
      setDraft({ name: next, colour });
      setError(undefined);
    },
    editColour: (next: LabelColour) => setDraft({ name, colour: next }),
  };
}
export type LabelDraft = ReturnType<typeof useLabelDraft>;
