import { useRef, useState } from 'react';
import { Camera, ImagePlus } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/pagesToPdf.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import type { Choice } from '../../components/ClientPicker.tsx';
import { ClientPicker } from '../../components/ClientPicker.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { notifyChanged } from '../../lib/cache.ts';
import { confirm } from '../../lib/confirm.ts';
import { toast } from '../../lib/toast.ts';
import { PageTile } from './PageTile.tsx';
import type { PagesTarget } from './pages.ts';
import { useRequestKey } from './useRequestKey.ts';
import { defaultName, moved, pageOf, savePages, turned, withMore } from './pages.ts';

const hasCamera = (): boolean => matchMedia('(pointer: coarse)').matches;

export interface PagesDialogProps {
  /** Where the PDF goes; a later change does not count. */
  target: PagesTarget;
  client: Choice | null;
  /** The initial pictures. */
  initial?: readonly File[];
  onSaved?: (item: ItemView) => void;
  onClose: () => void;
}

/** Collects pictures of pages, orders and rotates them, and saves them as one PDF. */
export function PagesDialog({
  target: firstTarget,
  client: first,
  initial = [],
  onSaved,
  onClose,
}: PagesDialogProps) {
  const [target] = useState(firstTarget);
  const [pages, setPages] = useState(() => initial.map(pageOf));
  const [name, setName] = useState(() => defaultName());
  const [client, setClient] = useState(first);
  const [error, setError] = useState('');
  const [part, setPart] = useState<number | null>(null);
  const camera = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const keyOf = useRequestKey();
  const busy = part !== null;
  const unsaved = pages.length - initial.length > 0 || pages.some(({ turn }) => turn > 0);

  const add = (files: FileList | null) => {
    const { pages: all, message } = withMore(pages, [...(files ?? [])]);
    setPages(all);
    setError(message);
  };
  const close = async () => {
    if (busy) return;
    const sure =
      !unsaved ||
      (await confirm({
        title: t.discardTitle(pages.length),
        body: t.discardAbout,
        action: t.discard,
        danger: true,
      }));
    if (sure) onClose();
  };
  const save = async () => {
    setPart(0);
    setError('');
    try {
      const clientId = client ? Number(client.id) : null;
      const request = { name, parentId: target.parentId, clientId };
      const key = keyOf(JSON.stringify([request, pages.map((page) => [page.key, page.turn])]));
      const item = await savePages(pages, { ...request, key }, setPart);
      toast.success(t.saved(item.name));
      notifyChanged();
      onSaved?.(item);
      onClose();
    } catch (failure) {
      setError((failure instanceof Error && failure.message) || t.failed);
      setPart(null);
    }
  };
  const input = (ref: typeof camera, more: object) => (
    <input
      ref={ref}
      type="file"
      accept="image/*"
      hidden
      {...more}
      onChange={(event) => {
        add(event.target.files);
        event.target.value = '';
      }}
    />
  );

  return (
    <Dialog title={t.title} isOpen onOpenChange={() => void close()} isUnsaved={unsaved} size="md">
      <DialogBody className="flex flex-col gap-4">
        <p className="text-muted">{t.about(target.folder)}</p>
        {error && <Alert>{error}</Alert>}
        {pages.length > 0 && (
          <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3" aria-label={t.pages}>
            {pages.map((page, index) => (
              <PageTile
                key={page.key}
                page={page}
                at={index}
                count={pages.length}
                busy={busy}
                onTurn={() => setPages(turned(pages, index))}
                onMove={(to) => setPages(moved(pages, index, to))}
                onRemove={() => setPages(pages.toSpliced(index, 1))}
              />
            ))}
          </ul>
        )}
        <div className="flex flex-wrap gap-2">
          {hasCamera() && (
            <Button
              icon={<Camera aria-hidden size={16} />}
              variant={pages.length === 0 ? 'primary' : 'secondary'}
              isDisabled={busy}
              className="flex-1"
              onPress={() => camera.current?.click()}
            >
              {pages.length === 0 ? t.takePicture : t.takeNextPicture}
            </Button>
          )}
          <Button
            icon={<ImagePlus aria-hidden size={16} />}
            isDisabled={busy}
            className="flex-1"
            onPress={() => chooser.current?.click()}
          >
            {t.choose}
          </Button>
        </div>
        {input(camera, { capture: 'environment' })}
        {input(chooser, { multiple: true })}
        {pages.length > 0 && (
          <>
            <TextField label={t.name} value={name} onChange={setName} maxLength={250} isDisabled={busy} />
            <ClientPicker
              label={common.client}
              placeholder={common.noClient}
              value={client}
              onChange={setClient}
            />
          </>
        )}
      </DialogBody>
      <DialogFooter>
        <Button isDisabled={busy} onPress={() => void close()}>
          {common.cancel}
        </Button>
        <Button
          variant="primary"
          busy={busy}
          busyLabel={t.sending(Math.floor((part ?? 0) * 100))}
          isDisabled={pages.length === 0 || name.trim() === ''}
          onPress={() => void save()}
        >
          {pages.length === 0 ? t.saveNone : t.save(pages.length)}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
