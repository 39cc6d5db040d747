import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { NOTE_MAX } from '#server/documents/notes/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/details.ts';
import { Button } from '../../components/Button.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { messageOf } from '../../lib/apiError.ts';

export interface NoteFieldProps {
  label: string;
  /** The button's label. */
  action: string;
  start?: string;
  /** What was typed before, and not saved. */
  draft?: string | undefined;
  onType?: (text: string) => void;
  /** If it rejects, the text stays in the field. */
  onSave: (text: string) => Promise<void>;
  onClose: () => void;
}

/** The editor of a note. Ctrl+Enter saves; Esc cancels, unless text would be lost. */
export function NoteField({ label, action, start = '', draft, onType, onSave, onClose }: NoteFieldProps) {
  const [text, setText] = useState(draft ?? start);
  const [error, setError] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);

  async function save() {
    if (busy) return;
    if (text.trim() === '') return setError(t.emptyNote);
    setBusy(true);
    try {
      await onSave(text);
      onClose();
    } catch (failure) {
      setError(messageOf(failure, t.noteFailed));
    } finally {
      setBusy(false);
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void save();
    } else if (event.key === 'Escape') {
      // Esc must not also close the panel or the sheet.
      event.preventDefault();
      event.stopPropagation();
      if (text.trim() === start.trim()) onClose();
    }
  };

  return (
    <div className="flex flex-col gap-2 py-1">
      <TextArea
        label={label}
        value={text}
        onChange={(next) => {
          setText(next);
          onType?.(next);
          setError(undefined);
        }}
        onKeyDown={onKeyDown}
        maxLength={NOTE_MAX}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the user's own action, but for a draft
        autoFocus={draft === undefined}
        error={error}
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" onPress={onClose}>
          {common.cancel}
        </Button>
        <Button size="sm" variant="primary" busy={busy} onPress={() => void save()}>
          {action}
        </Button>
      </div>
    </div>
  );
}
