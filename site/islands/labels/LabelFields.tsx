import type { FormEvent } from 'react';
import { useState } from 'react';
import type { LabelColour, LabelInput } from '#server/documents/labels/contract.ts';
import { LABEL_COLOURS, LABEL_NAME_MAX } from '#server/documents/labels/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/labels.ts';
import { Button } from '../../components/Button.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { ApiError, messageOf } from '../../lib/apiError.ts';

export interface LabelFieldsProps {
  start?: LabelInput;
  /** The button's label. */
  action: string;
  /** If it rejects, the text stays in the field. */
  onSave: (label: LabelInput) => Promise<void>;
  /** Without it there is no Cancel button. */
  onCancel?: () => void;
}

const options = LABEL_COLOURS.map((colour) => ({
  id: colour as string,
  label: t.colours[colour],
  icon: <span aria-hidden="true" data-colour={colour} className="label-dot" />,
}));

/** The fields of a new or existing label: name and colour. */
export function LabelFields({ start, action, onSave, onCancel }: LabelFieldsProps) {
  const [name, setName] = useState(start?.name ?? '');
  const [colour, setColour] = useState<LabelColour>(start?.colour ?? 'blue');
  const [error, setError] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);

  async function save(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    setBusy(true);
    try {
      await onSave({ name, colour });
      setName('');
      setError(undefined);
    } catch (failure) {
      const named = failure instanceof ApiError ? failure.errors?.['name']?.[0] : undefined;
      setError(named ?? messageOf(failure, t.saveFailed));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form noValidate onSubmit={(event) => void save(event)} className="flex flex-wrap items-start gap-2 py-1">
      <TextField
        label={t.name}
        hideLabel
        autoFocus
        placeholder={t.newLabel}
        value={name}
        onChange={(next) => {
          setName(next);
          setError(undefined);
        }}
        maxLength={LABEL_NAME_MAX}
        error={error}
        className="min-w-32 flex-1"
      />
      <Select
        label={t.colour}
        hideLabel
        options={options}
        value={colour}
        onChange={(key) => setColour(key as LabelColour)}
        className="w-30"
      />
      <span className="flex gap-2">
        {onCancel && <Button onPress={onCancel}>{common.cancel}</Button>}
        <Button type="submit" busy={busy} isDisabled={name.trim() === ''}>
          {action}
        </Button>
      </span>
    </form>
  );
}
