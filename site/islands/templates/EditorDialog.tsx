import { IndentDecrease, IndentIncrease } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import type { TemplateView } from '#server/templates/contract.ts';
import { expand, parseOutline } from '#server/templates/contract.ts';
import { selectableYears } from '#server/text/years.ts';
import * as t from '#messages/templates.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import { confirmDiscard } from '../../lib/confirm.ts';
import { useForm } from '../../lib/useForm.ts';
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
  const { name: first, outline: drafted } = draft;
  const { values, banner, busy, form, field, edit, showErrors, showMessage, submit } = useForm({
    name: first,
    outline: drafted,
  });
  const { name, outline } = values;
  const { folders, count, errors: lineErrors } = parseOutline(outline);
  const [fy] = useState(() => selectableYears(new Date())[1]!);
  const example = { fy, client: t.sampleClient };

  /** Edits through `execCommand`, so that Ctrl+Z undoes it. */
  const insert = (change: (edited: Edited) => Edited) => {
    const area = form.current?.querySelector('textarea');
    if (!area) return;
    const { text, start, end } = change({
      text: area.value,
      start: area.selectionStart,
      end: area.selectionEnd,
    });
    area.focus();
    area.select();
    if (!document.execCommand('insertText', false, text)) edit('outline', text);
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
    insert(breakLine);
  };
  const save = async () => {
    if (name.trim() === '') return showErrors({ name: t.nameRequired });
    if (lineErrors.length > 0) return showMessage(t.correctLines);
    if (count === 0) return showMessage(t.noFolders);
    const input = { name, outline };
    const { id, version } = draft;
    return onSaved(await (id === null ? calls.create(input) : calls.update(id, { ...input, version })));
  };

  const isUnsaved = name !== first || outline !== drafted;
  async function leave(): Promise<void> {
    if (busy) return;
    if (!isUnsaved || (await confirmDiscard(common.notSaved))) onClose();
  }

  return (
    <Dialog
      title={draft.id === null ? t.newTemplate : t.editTemplate}
      isOpen
      onOpenChange={() => void leave()}
      size="lg"
      isUnsaved={isUnsaved}
      isKeyboardDismissDisabled
    >
      <form ref={form} className="contents" noValidate onSubmit={submit(save, t.saveFailed)}>
        <DialogBody className="flex flex-col gap-4">
          {banner && <Alert>{banner}</Alert>}
          <TextField
            label={common.name}
            {...field('name')}
            autoComplete="off"
            maxLength={100}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog must take the focus somewhere
            autoFocus
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <div className="relative min-w-0">
              <div className="absolute -top-1.5 right-0 flex">
                <IconButton label={t.moveOut} size="sm" onPress={() => insert((one) => indent(one, true))}>
                  <IndentDecrease {...ICON} />
                </IconButton>
                <IconButton label={t.moveIn} size="sm" onPress={() => insert((one) => indent(one, false))}>
                  <IndentIncrease {...ICON} />
                </IconButton>
              </div>
              {/* Enter keeps the indentation of the line; Tab leaves the field. */}
              <div onKeyDown={onKeyDown} role="presentation">
                <TextArea
                  label={t.folders}
                  {...field('outline')}
                  rows={12}
                  description={t.foldersHint}
                  autoComplete="off"
                  spellCheck="false"
                  className="[&_textarea]:font-mono [&_textarea]:whitespace-pre"
                />
              </div>
            </div>
            <section aria-label={t.preview} className="flex min-w-0 flex-col gap-1.5">
              <p className="text-sm font-medium">{t.previewCount(t.folderCount(count))}</p>
              {lineErrors.length > 0 && (
                <div role="status">
                  <ul aria-label={t.linesToCorrect} className="text-sm text-danger-text">
                    {lineErrors.slice(0, 10).map(({ line, message }) => (
                      <li key={line}>{t.lineError(line, message)}</li>
                    ))}
                    {lineErrors.length > 10 && <li>{t.moreLines(lineErrors.length - 10)}</li>}
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
          <Button onPress={() => void leave()}>{common.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {t.saveTemplate}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
