import { useEffect, useState } from 'react';
import { Copy } from 'lucide-react';
import type { DropKinds, DropView } from '#server/drop-links/contract.ts';
import { DROP_KINDS } from '#server/drop-links/contract.ts';
import * as t from '#messages/drops.ts';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Select } from '../../components/Select.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { notifyChanged } from '../../lib/cache.ts';
import { copyText } from '../../lib/copyText.ts';
import { confirm } from '../../lib/confirm.ts';
import { toast } from '../../lib/toast.ts';
import { useSaving } from '../../lib/useSaving.ts';

const svgOf = (drop: DropView): string => `data:image/svg+xml,${encodeURIComponent(drop.qr)}`;
const PNG_SIDE = 1024;

/** Saves the QR code as PNG, large enough for print. */
async function savePng(drop: DropView): Promise<void> {
  const image = new Image();
  image.src = svgOf(drop);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PNG_SIDE;
  const context = canvas.getContext('2d')!;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, PNG_SIDE, PNG_SIDE);
  const link = document.createElement('a');
  link.href = canvas.toDataURL('image/png');
  link.download = 'qr.png';
  link.click();
}

/** Creates a client's drop link, shows it with its QR code, sets its limits, and revokes it. */
export default function DropDialog({
  client,
  onClose,
}: {
  client: { id: number; name: string };
  onClose: () => void;
}) {
  const [drop, setDrop] = useState<DropView | null>();
  const [mb, setMb] = useState('50');
  const [maxFiles, setMaxFiles] = useState('1000');
  const [kinds, setKinds] = useState<DropKinds>('any');
  const { busy, fault, submit } = useSaving(t.failed);
  const show = (shown: DropView | null) => {
    setDrop(shown);
    if (!shown) return;
    setMb(String(shown.file_mb));
    setMaxFiles(String(shown.max_files));
    setKinds(shown.kinds);
  };
  const load = submit(async () => {
    const [existing] = await api.get<DropView[]>('/api/drop-links', { query: { client: client.id } });
    show(existing ?? null);
  });
  useEffect(() => {
    void load();
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const save = submit(async () => {
    const request = { client_id: client.id, file_mb: Number(mb), max_files: Number(maxFiles), kinds };
    const had = Boolean(drop);
    show(await api.post<DropView>('/api/drop-links', request));
    notifyChanged();
    if (had) toast.success(t.saved);
  });
  const renew = submit(async () => {
    const yes = await confirm({ title: t.renewQuestion, body: t.renewAbout, action: t.renew, danger: true });
    if (!yes) return;
    // Typed changes that are not saved yet stay.
    setDrop(await api.post<DropView>(`/api/drop-links/${drop!.id}/address`));
    notifyChanged();
  });
  const revoke = submit(async () => {
    const yes = await confirm({
      title: t.revokeQuestion,
      body: t.revokeAbout,
      action: t.revoke,
      danger: true,
    });
    if (!yes) return;
    await api.delete(`/api/drop-links/${drop!.id}`);
    notifyChanged();
    toast.success(t.revoked);
    onClose();
  });
  /** The dialog stays open after saving. */
  const changed = !drop || mb !== String(drop.file_mb) || maxFiles !== String(drop.max_files);
  const copy = async () =>
    (await copyText(drop!.url)) ? toast.success(t.copied) : toast.error(t.copyBlocked);

  return (
    <Dialog title={t.dialogTitle(client.name)} size="md" isOpen onOpenChange={onClose} keepsTyped={changed}>
      <form className="contents" noValidate onSubmit={(event) => void save(event)}>
        <DialogBody className="flex flex-col gap-4">
          <ErrorAlert error={fault} />
          <p className="text-muted">{t.dialogAbout}</p>
          {drop === undefined && !fault && <Spinner />}
          {drop && (
            <>
              <div className="flex items-end gap-2">
                <TextField label={t.address} isReadOnly value={drop.url} className="min-w-0 flex-1" />
                <Button variant="primary" icon={<Copy aria-hidden size={16} />} onPress={() => void copy()}>
                  {t.copy}
                </Button>
              </div>
              <div className="flex items-center gap-4">
                <img
                  src={svgOf(drop)}
                  alt={t.qr}
                  width={160}
                  height={160}
                  className="shrink-0 rounded-md border border-line bg-white"
                />
                <div className="min-w-0 space-y-2">
                  <div className="flex w-fit flex-col gap-2">
                    <a href={svgOf(drop)} download="qr.svg" className={buttonClass('secondary')}>
                      {t.downloadSvg}
                    </a>
                    <Button onPress={() => void savePng(drop)}>{t.downloadPng}</Button>
                    <a href={`/clients/${client.id}/card`} className={buttonClass('secondary')}>
                      {t.printCard}
                    </a>
                  </div>
                  <p className="text-sm text-muted">{t.received(drop.received, drop.max_files)}</p>
                </div>
              </div>
            </>
          )}
          {drop !== undefined && (
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField label={t.fileMb} inputMode="numeric" value={mb} onChange={setMb} />
              <TextField label={t.maxFiles} inputMode="numeric" value={maxFiles} onChange={setMaxFiles} />
              <Select
                label={t.kinds}
                options={DROP_KINDS.map((id) => ({ id: id as string, label: t.kindsOf[id] }))}
                value={kinds}
                onChange={(key) => setKinds(key as DropKinds)}
              />
            </div>
          )}
        </DialogBody>
        <DialogFooter>
          {drop && (
            <>
              <Button variant="danger-quiet" onPress={() => void revoke()}>
                {t.revoke}
              </Button>
              <Button onPress={() => void renew()}>{t.renew}</Button>
            </>
          )}
          <Button type="submit" variant="primary" busy={busy} isDisabled={drop === undefined}>
            {drop ? t.save : t.create}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
