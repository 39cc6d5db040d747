import { IndentDecrease, IndentIncrease } from 'lucide-react';
import type { FormEvent, KeyboardEvent } from 'react';
import { useRef, useState } from 'react';
import type { TemplateView } from '#server/templates/contract.ts';
import { expand, financialYears, parseOutline } from '#server/templates/contract.ts';
import * as t from '#messages/templates.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { calls } from './calls.ts';
import { FolderList, linesOf } from './FolderList.tsx';
import type { Edited } from './indenting.ts';
import { breakLine, indent } from './indenting.ts';
import type { Draft } from './TemplatesDialog.tsx';

interface EditorDialogProps {
  draft: Draft;
  onClose: () => void;
  onSaved: (saved: TemplateView) => void;
}

const ICON = { size: 16, 'aria-hidden': true } as const;

export function EditorDialog({ draft, onClose, onSaved }: EditorDialogProps) {
  const [name, setName] = useState(draft.name);
  const [outline, setOutline] = useState(draft.outline);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<{ name?: string | undefined; other?: string | undefined }>({});
  const form = useRef<HTMLFormElement>(null);
  const { folders, count, faults } = parseOutline(outline);
  const [fy] = useState(() => financialYears(new Date())[1]!);
  const example = { fy, client: t.sampleClient };

  /** Through the browser's own editing, so that Ctrl+Z takes it back. */
  const edit = (change: (edited: Edited) => Edited) => {
    const area = form.current?.querySelector('textarea');
    if (!area) return;
    const { text, start, end } = change({
      text: area.value,
      start: area.selectionStart,
      end: area.selectionEnd,
    });
    area.focus();
    area.select();
    if (!document.execCommand('insertText', false, text)) setOutline(text);
    area.setSelectionRange(start, end);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (
      event.key !== 'Enter' ||
      event.nativeEvent.isComposing ||
      !(event.target instanceof HTMLTextAreaElement)
    )
      return;
    event.preventDefault();
    edit(breakLine);
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (name.trim() === '') return setWrong({ name: t.nameRequired });
    if (count === 0 || faults.length > 0)
      return setWrong({
        other: faults.length > 0 ? t.correctLines : t.noFolders,
      });
    setBusy(true);
    try {
      const input = { name, outline };
      onSaved(
        await (draft.id === null
          ? calls.create(input)
          : calls.update(draft.id, { ...input, version: draft.version })),
      );
    } catch (failure) {
      const taken = failure instanceof ApiError ? failure.errors?.name?.[0] : undefined;
      setWrong(taken ? { name: taken } : { other: messageOf(failure, t.saveFailed) });
    }
    setBusy(false);
  };

  return (
    <Dialog
      title={draft.id === null ? t.newTemplate : t.editTemplate}
      isOpen
      onOpenChange={onClose}
      size="lg"
      isKeyboardDismissDisabled
    >
      <form ref={form} className="contents" noValidate onSubmit={(event) => void save(event)}>
        <DialogBody className="flex flex-col gap-4">
          {wrong.other && <Alert>{wrong.other}</Alert>}
          <TextField
            label={common.name}
            name="name"
            value={name}
            onChange={(text) => {
              setName(text);
              setWrong({});
            }}
            error={wrong.name}
            autoComplete="off"
            maxLength={100}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog must take the focus somewhere
            autoFocus
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <div className="relative min-w-0">
              <div className="absolute -top-1.5 right-0 flex">
                <IconButton label={t.moveOut} size="sm" onPress={() => edit((one) => indent(one, true))}>
                  <IndentDecrease {...ICON} />
                </IconButton>
                <IconButton label={t.moveIn} size="sm" onPress={() => edit((one) => indent(one, false))}>
                  <IndentIncrease {...ICON} />
                </IconButton>
              </div>
              {/* Typed, it goes on as far in as the line above; a plain Tab still leaves the field. */}
              <div onKeyDown={onKeyDown} role="presentation">
                <TextArea
                  label={t.folders}
                  name="outline"
                  rows={12}
                  value={outline}
                  onChange={(text) => {
                    setOutline(text);
                    setWrong({ name: wrong.name });
                  }}
                  description={t.foldersHint}
                  autoComplete="off"
                  spellCheck="false"
                  className="[&_textarea]:font-mono [&_textarea]:whitespace-pre"
                />
              </div>
            </div>
            <section aria-label={t.preview} className="flex min-w-0 flex-col gap-1.5">
              <p className="text-sm font-medium">{t.previewCount(t.folderCount(count))}</p>
              {faults.length > 0 && (
                <div role="status">
                  <ul aria-label={t.linesToCorrect} className="text-sm text-danger-text">
                    {faults.slice(0, 10).map(({ line, message }) => (
                      <li key={line}>{t.lineError(line, message)}</li>
                    ))}
                    {faults.length > 10 && <li>{t.moreLines(faults.length - 10)}</li>}
                  </ul>
                </div>
              )}
              <div
                className="rounded-md border border-line bg-sunken p-3"
                role="group"
                aria-label={t.foldersAsCreated}
              >
                <FolderList label={t.folders} folders={linesOf(expand(folders, example))} plain />
              </div>
            </section>
          </div>
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {t.saveTemplate}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
