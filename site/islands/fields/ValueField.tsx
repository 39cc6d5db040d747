import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { VALUE_MAX } from '#server/fields/contract.ts';
import type { FieldView } from '#server/fields/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/fields.ts';
import { Button } from '../../components/Button.tsx';
import { SavedNow } from '../../components/SavedNow.tsx';
import { TextField } from '../../components/TextField.tsx';
import { draftOf, dropDraft, keepDraft, valueDraft } from '../../lib/drafts.ts';
import { editableValue, formatValue, nameOfField } from '../../lib/fieldValues.ts';
import { fieldError, isChanged } from './fieldError.ts';

/** Whether a value of the document was typed and not saved. */
export const hasDraft = (itemId: number, fieldId: string): boolean =>
  draftOf(valueDraft(itemId, fieldId)) !== undefined;

export interface ValueFieldProps {
  /** The document that has the value. */
  item: { id: number; name: string };
  field: FieldView;
  /** @param seen the value that the user saw before. If it rejects, the text stays in the field. */
  onSave: (written: string, seen: string | null) => Promise<unknown>;
  onClose: () => void;
}

/** The editor of a value. Enter saves, Esc cancels. */
export function ValueField({ item, field, onSave, onClose }: ValueFieldProps) {
  const { id, key, kind, value, read } = field;
  const [start] = useState(editableValue(kind, value ?? read ?? ''));
  const draftKey = valueDraft(item.id, id);
  const name = nameOfField(field);
  const [draft] = useState(() => draftOf(draftKey));
  const [seen] = useState(draft ? draft.seen : value);
  const [text, setText] = useState(draft?.text ?? start);
  /** Whether the value was changed in the meantime, and the user sees the present one. */
  const [changed, setChanged] = useState(false);
  const [error, setError] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);

  function close() {
    dropDraft(draftKey);
    onClose();
  }
  async function save() {
    if (busy) return;
    setBusy(true);
    try {
      await onSave(text, changed ? value : seen);
      close();
    } catch (failed) {
      if (isChanged(failed)) setChanged(true);
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
        label={name}
        value={text}
        onChange={(next) => {
          setText(next);
          if (next === start) dropDraft(draftKey);
          else keepDraft(draftKey, { text: next, seen, value: { name, item } });
          setError(undefined);
        }}
        onKeyDown={onKeyDown}
        maxLength={VALUE_MAX}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the user's own action, but for a draft
        autoFocus={draft === undefined}
        error={error}
        {...(kind === 'identifier' && { inputClassName: 'font-mono' })}
      />
      {changed && <SavedNow text={value === null ? t.cleared : formatValue(kind, value, key)} />}
      <div className="flex justify-end gap-2">
        <Button size="sm" onPress={close}>
          {common.cancel}
        </Button>
        <Button size="sm" variant="primary" busy={busy} onPress={() => void save()}>
          {changed ? common.saveAllTheSame : common.save}
        </Button>
      </div>
    </div>
  );
}
