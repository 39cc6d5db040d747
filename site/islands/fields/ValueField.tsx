import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { VALUE_MAX } from '#server/fields/contract.ts';
import type { FieldView } from '#server/fields/contract.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/TextField.tsx';
import { fieldError } from './fieldError.ts';
import { nameOfField, editableValue } from '../../lib/fieldValues.ts';

/** Typed values that are not saved, by document and field: choosing another row or file must not lose one. */
const drafts = new Map<string, string>();
const keyOf = (itemId: number, fieldId: string): string => `${itemId} ${fieldId}`;

/** Whether a value of the document was typed and not saved. */
export const hasDraft = (itemId: number, fieldId: string): boolean => drafts.has(keyOf(itemId, fieldId));

export interface ValueFieldProps {
  /** The document that has the value. */
  itemId: number;
  field: FieldView;
  /** If it rejects, the text stays in the field. */
  onSave: (written: string) => Promise<void>;
  onClose: () => void;
}

/** The editor of a value. Enter saves, Esc cancels. */
export function ValueField({ itemId, field, onSave, onClose }: ValueFieldProps) {
  const { id, kind, value, read } = field;
  const start = editableValue(kind, value ?? read ?? '');
  const draftKey = keyOf(itemId, id);
  const [draft] = useState(() => drafts.get(draftKey));
  const [text, setText] = useState(draft ?? start);
  const [error, setError] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);

  function close() {
    drafts.delete(draftKey);
    onClose();
  }
  async function save() {
    if (busy) return;
    setBusy(true);
    try {
      await onSave(text);
      close();
    } catch (failed) {
      setError(fieldError(failed, id));
      setBusy(false);
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Esc must not also close the panel or the sheet.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') void save();
    else close();
  };
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={nameOfField(field)}
        value={text}
        onChange={(next) => {
          setText(next);
          if (next === start) drafts.delete(draftKey);
          else drafts.set(draftKey, next);
          setError(undefined);
        }}
        onKeyDown={onKeyDown}
        maxLength={VALUE_MAX}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the user's own action, but for a draft
        autoFocus={draft === undefined}
        error={error}
        {...(kind === 'identifier' && { inputClassName: 'font-mono' })}
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" onPress={close}>
          {common.cancel}
        </Button>
        <Button size="sm" variant="primary" busy={busy} onPress={() => void save()}>
          {common.save}
        </Button>
      </div>
    </div>
  );
}
