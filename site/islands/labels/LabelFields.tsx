import type { FormEvent } from 'react';
import type { LabelColour } from '#server/documents/labels/contract.ts';
import { LABEL_COLOURS, LABEL_NAME_MAX } from '#server/documents/labels/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/labels.ts';
import { Button } from '../../components/Button.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import type { LabelDraft } from './useLabelDraft.ts';

export interface LabelFieldsProps {
  draft: LabelDraft;
  /** The button's label. */
  action: string;
  onSave: () => Promise<unknown>;
  /** Without it there is no Cancel button. */
  onCancel?: () => void;
}

const options = LABEL_COLOURS.map((colour) => ({
  id: colour as string,
  label: t.colours[colour],
  icon: <span aria-hidden="true" data-colour={colour} className="label-dot" />,
}));

/** The fields of a new or existing label: name and colour. */
export function LabelFields({
  draft: { name, colour, error, busy, editName, editColour },
  action,
  onSave,
  onCancel,
}: LabelFieldsProps) {
  function save(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    void onSave();
  }

  return (
    <form noValidate onSubmit={save} className="flex flex-wrap items-start gap-2 py-1">
      <TextField
        label={t.name}
        hideLabel
        autoFocus
        placeholder={t.newLabel}
        value={name}
        onChange={editName}
        maxLength={LABEL_NAME_MAX}
        error={error}
        className="min-w-32 flex-1"
      />
      <Select
        label={t.colour}
        hideLabel
        options={options}
        value={colour}
        onChange={(key) => editColour(key as LabelColour)}
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
