import { useId, useRef, useState } from 'react';
import { FilePlus2, X } from 'lucide-react';
import { formatBytes } from '#server/text/format-bytes.ts';
import { extensionOf } from '#server/text/extension.ts';
import * as d from '#messages/itemDialogs.ts';
import * as common from '#messages/common.ts';
import { pieces } from '../../../messages/pieces.ts';
import { Alert } from '../../../components/Alert.tsx';
import { Checkbox } from '../../../components/Checkbox.tsx';
import { Button } from '../../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../../components/Dialog.tsx';
import { FileGlyph } from '../../../components/FileGlyph.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { MiddleCut } from '../../../components/MiddleCut.tsx';
import { useFileDrop } from '../../../components/useFileDrop.ts';
import { cx } from '../../../lib/cx.ts';
import { isAccepted, problems, refusal } from '../../uploads/check.ts';
import { upload } from '../../uploads/uploads.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { ClientField } from './ClientField.tsx';

const sameFile = (a: File) => (b: File) =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

export function UploadDialog({ onClose }: { onClose: () => void }) {
  const { folder: openFolder } = useItemScreen();
  const [folder] = useState(openFolder);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [client, setClient] = useState(folder.client);
  const [error, setError] = useState<string | null>(null);
  const [extractZip, setExtractZip] = useState(false);
  const hasZip = files.some(({ name }) => extensionOf(name) === 'zip');
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  const add = (more: Iterable<File>) => {
    const next = [...files, ...[...more].filter((file) => !files.some(sameFile(file)))];
    setFiles(next);
    setError(next.length > 0 ? refusal(next) : null);
  };
  const { over, target } = useFileDrop(add);
  const removeFile = (file: File) => {
    const remaining = files.filter((other) => other !== file);
    setFiles(remaining);
    setError(remaining.length > 0 ? refusal(remaining) : null);
  };
  const accepted = files.filter(isAccepted);
  const start = (chosenFiles: readonly File[]) => {
    const first = chosenFiles.length > 0 ? refusal(chosenFiles) : null;
    if (first) return setError(first);
    const chosen = chosenFiles.map((file) => ({ path: [], file }));
    const refused = upload(
      { files: chosen, emptyFolders: [], systemFiles: [] },
      { parentId: folder.id, clientId: client?.id ?? null, extractZip: hasZip && extractZip },
    );
    if (refused) setError(refused);
    else onClose();
    return undefined;
  };

  return (
    <Dialog title={d.uploadFiles} isOpen onOpenChange={onClose} size="md">
      <form
        className="contents"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          start(files);
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          <label
            htmlFor={id}
            {...target}
            className={cx(
              'flex flex-col items-center gap-1 rounded-lg border border-dashed px-4 py-6 text-center',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
              over ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-hover',
            )}
          >
            <FilePlus2 aria-hidden size={24} className="mb-1 text-muted" />
            <span className="font-medium">
              {pieces(d.chooseOrDrop).map(({ tag, text: words }) =>
                tag ? (
                  <span key={words} className="link">
                    {words}
                  </span>
                ) : (
                  words
                ),
              )}
            </span>
            <span className="text-sm text-muted">{d.uploadsTo(folder.name)}</span>
            <input
              ref={input}
              id={id}
              type="file"
              multiple
              className="sr-only"
              onKeyDown={(event) => {
                // Enter asks for files only while there are none; Space asks for more.
                if (event.key !== 'Enter' || files.length === 0) return;
                event.preventDefault();
                start(files);
              }}
              onChange={(event) => {
                add(event.target.files ?? []);
                event.target.value = '';
              }}
            />
          </label>
          {error && (
            <Alert>
              <p>{error}</p>
              {accepted.length > 0 && accepted.length < files.length && (
                <Button size="sm" className="mt-2" onPress={() => start(accepted)}>
                  {d.uploadOthers(accepted.length)}
                </Button>
              )}
            </Alert>
          )}
          {files.length > 0 && (
            <ul
              className="relative max-h-52 overflow-y-auto rounded-md border border-line"
              aria-label={d.chosenFiles}
            >
              {files.map((file) => (
                <li
                  key={`${file.name}/${file.size}/${file.lastModified}`}
                  className="flex min-h-10 items-center gap-2.5 border-b border-line pr-1.5 pl-3 last:border-b-0"
                >
                  <FileGlyph fileType={extensionOf(file.name)} size={18} />
                  <span className={cx('min-w-0 flex-1', !isAccepted(file) && 'py-1 text-danger-text')}>
                    <span className="flex min-w-0">
                      <MiddleCut text={file.name} />
                    </span>
                    {!isAccepted(file) && <span className="block text-xs">{problems(file).join(', ')}</span>}
                  </span>
                  <span className="tabular shrink-0 text-sm text-muted">{formatBytes(file.size)}</span>
                  <IconButton label={d.removeNamed(file.name)} size="sm" onPress={() => removeFile(file)}>
                    <X aria-hidden size={14} />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          {hasZip && (
            <Checkbox isSelected={extractZip} onChange={setExtractZip}>
              {d.extractContents}
            </Checkbox>
          )}
          <ClientField
            value={client}
            onChange={setClient}
            {...(folder.id !== null && client === null && { description: d.uploadClientHint })}
          />
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary">
            {files.length === 0 ? d.startUpload : d.startUploadOf(files.length)}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
