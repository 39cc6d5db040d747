import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { NOTE_MAX } from '#server/documents/notes/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/details.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { SavedNow } from '../../components/SavedNow.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { draftOf, dropDraft, keepDraft, noteDraft } from '../../lib/drafts.ts';
import type { Draft } from '../../lib/unsaved.ts';

export interface NoteFieldProps {
  label: string;
  /** The button's label. */
  action: string;
  /** The text as it is saved now; it may change while the user types. */
  saved?: string;
  /** Names what is typed and not saved; choosing another row must not lose it. */
  note: NonNullable<Draft['note']>;
  /** Whether the note was deleted while it was edited. */
  gone?: boolean;
  /** @param seen the text that the user saw before. If it rejects, the text stays in the field. */
  onSave: (text: string, seen: string) => Promise<void>;
  onClose: () => void;
}

/** The editor of a note. Ctrl+Enter saves; Esc cancels, unless text would be lost. */
export function NoteField({
  label,
  action,
  saved = '',
  note,
  gone = false,
  onSave,
  onClose,
}: NoteFieldProps) {
  const draftKey = noteDraft(note.item.id, note.id);
  const [draft] = useState(() => draftOf(draftKey));
  const [start] = useState(draft?.seen ?? saved);
  const [text, setText] = useState(draft?.text ?? start);
  /** Whether the note was changed elsewhere, and the user sees its present text. */
  const [changed, setChanged] = useState(false);
  const [error, setError] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);

  function close() {
    dropDraft(draftKey);
    onClose();
  }
  async function save() {
    if (busy) return;
    if (text.trim() === '') return setError(t.emptyNote);
    setBusy(true);
    try {
      await onSave(text, changed ? saved : start);
      close();
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'note_changed') setChanged(true);
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
      if (text.trim() === start.trim()) close();
    }
  };

  return (
    <div className="flex flex-col gap-2 py-1">
      <TextArea
        label={label}
        value={text}
        onChange={(next) => {
          setText(next);
          if (next.trim() === start.trim()) dropDraft(draftKey);
          else keepDraft(draftKey, { text: next, seen: start, note });
          setError(undefined);
        }}
        onKeyDown={onKeyDown}
        maxLength={NOTE_MAX}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the user's own action, but for a draft
        autoFocus={draft === undefined}
        error={error}
      />
      {gone && <Alert tone="warning">{t.noteGone}</Alert>}
      {changed && !gone && <SavedNow text={saved} />}
      <div className="flex justify-end gap-2">
        <Button size="sm" onPress={close}>
          {common.cancel}
        </Button>
        <Button size="sm" variant="primary" busy={busy} onPress={() => void save()}>
          {changed && !gone ? common.saveAllTheSame : action}
        </Button>
      </div>
    </div>
  );
}
