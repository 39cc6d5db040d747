import { useStore } from '@nanostores/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Pencil, Trash2 } from 'lucide-react';
import type { NoteView } from '#server/documents/notes/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/details.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { refreshKeys } from '../../lib/cache.ts';
import { confirm } from '../../lib/confirm.ts';
import { draftOf, noteDraft } from '../../lib/drafts.ts';
import { formatDateTime } from '../../lib/format.ts';
import { $drafts } from '../../lib/unsaved.ts';
import { useMay } from '../../lib/useMay.ts';
import { calls, notesKey } from './calls.ts';
import { NoteField } from './NoteField.tsx';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** Notes listed before "show all". */
const MAX_SHOWN = 5;

/** The notes of the firm's users about an item. */
export function Notes({ item }: PartProps) {
  const cache = useQueryClient();
  const key = notesKey(item.id);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => calls.notes(item.id, signal),
  });
  const may = useMay();
  const [all, showAll] = useState(false);
  const [writing, setWriting] = useState(() => draftOf(noteDraft(item.id, null)) !== undefined);
  const drafts = useStore($drafts, { ssr: 'initial' });
  const add = useRef<HTMLButtonElement>(null);
  const changed = () => refreshKeys(cache, key, ['history']);
  const addNote = async (text: string) => {
    await calls.addNote(item.id, text);
    await changed();
  };
  /** The ids of notes with changes that are not saved: these are shown wherever they are, even when they were deleted meanwhile. */
  const edited = [...drafts.values()].flatMap(({ note }) =>
    note?.item.id === item.id && note.id !== null ? [note.id] : [],
  );
  const shown = (data ?? []).filter(({ id }, index) => all || index < MAX_SHOWN || edited.includes(id));
  const gone = data ? edited.filter((id) => !data.some((note) => note.id === id)) : [];

  return (
    <Section
      title={t.notes}
      loading={data === undefined}
      error={error}
      onRetry={() => void refetch()}
      retrying={isFetching}
      aside={
        may('documents.write') &&
        !writing && (
          <Button ref={add} variant="quiet" size="sm" className="-mr-2.5" onPress={() => setWriting(true)}>
            {t.addNote}
          </Button>
        )
      }
    >
      {writing && (
        <NoteField
          label={t.newNote}
          action={t.saveNote}
          note={{ id: null, item }}
          onSave={addNote}
          onClose={() => {
            flushSync(() => setWriting(false));
            add.current?.focus();
          }}
        />
      )}
      {data?.length === 0 && !writing && gone.length === 0 && <p className="text-muted">{t.noNotes}</p>}
      <ul>
        {/* One array, and what was deleted first, so that a field keeps its focus. */}
        {[...gone.map((id) => ({ id, note: null })), ...shown.map((note) => ({ id: note.id, note }))].map(
          ({ id, note }) => (
            <Note
              key={id}
              id={id}
              note={note}
              item={item}
              onAdd={addNote}
              onChanged={changed}
              onGone={() => add.current?.focus()}
            />
          ),
        )}
      </ul>
      {data && shown.length < data.length && (
        <Button variant="quiet" size="sm" className="-ml-2.5" onPress={() => showAll(true)}>
          {t.allNotes(data.length)}
        </Button>
      )}
    </Section>
  );
}

interface NoteProps {
  id: number;
  /** Null when it was deleted while it was edited here. */
  note: NoteView | null;
  item: PartProps['item'];
  onAdd: (text: string) => Promise<void>;
  onChanged: () => Promise<void>;
  /** Called after a deletion, which also removes the focused button. */
  onGone: () => void;
}

function Note({ id, note, item, onAdd, onChanged, onGone }: NoteProps) {
  const [editing, setEditing] = useState(
    () => note?.may_edit !== false && draftOf(noteDraft(item.id, id)) !== undefined,
  );
  const [failed, setFailed] = useState<string | null>(null);
  const pencil = useRef<HTMLButtonElement>(null);

  async function remove() {
    const yes = await confirm({
      title: t.deleteNoteQuestion,
      body: t.deleteNoteAbout,
      action: t.deleteNote,
      danger: true,
    });
    if (!yes) return;
    try {
      await calls.removeNote(id);
    } catch (error) {
      setFailed(messageOf(error, t.noteNotDeleted));
      return onChanged();
    }
    await onChanged();
    return onGone();
  }

  if (editing)
    return (
      <li className="py-1.5">
        <NoteField
          label={t.changeNote}
          action={note ? common.save : t.saveAsNew}
          {...(note && { saved: note.text })}
          gone={note === null}
          note={{ id, item }}
          onSave={async (next, seen) => {
            if (!note) return onAdd(next);
            // Also after a refusal, which shows the present text.
            await calls.editNote(id, next, seen).finally(onChanged);
            return undefined;
          }}
          onClose={() => {
            flushSync(() => setEditing(false));
            if (note) pencil.current?.focus();
            else onGone();
          }}
        />
      </li>
    );
  if (!note) return null;
  const { text, user_name, created_at, edited_at, may_edit, may_delete } = note;
  return (
    <li className="group/note py-1.5">
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {text}
      </p>
      <div className="flex min-h-7 items-center gap-1 text-sm text-muted">
        <p className="tabular min-w-0 flex-1">
          {user_name} · <time dateTime={created_at}>{formatDateTime(created_at)}</time>
          {edited_at && <span title={formatDateTime(edited_at)}> · {t.edited}</span>}
        </p>
        {may_edit && (
          <IconButton ref={pencil} label={t.changeNote} size="sm" onPress={() => setEditing(true)}>
            <Pencil aria-hidden size={14} />
          </IconButton>
        )}
        {may_delete && (
          <IconButton label={t.deleteNote} size="sm" variant="danger-quiet" onPress={() => void remove()}>
            <Trash2 aria-hidden size={14} />
          </IconButton>
        )}
      </div>
      {failed && <Alert onDismiss={() => setFailed(null)}>{failed}</Alert>}
    </li>
  );
}
