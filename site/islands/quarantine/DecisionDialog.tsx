import { useState } from 'react';
import type { QuarantineView, QuarantinedView } from '#server/scanning/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/quarantine.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { api } from '../../lib/api.ts';
import { notifyChanged } from '../../lib/cache.ts';
import { toast } from '../../lib/toast.ts';
import { useSaving } from '../../lib/useSaving.ts';

export interface DecisionDialogProps {
  file: QuarantinedView;
  what: 'release' | 'delete';
  onClose: () => void;
  onDone: (now: QuarantineView) => void;
}

/** Releases or deletes a held file, with a reason. */
export function DecisionDialog({ file, what, onClose, onDone }: DecisionDialogProps) {
  const [reason, setReason] = useState('');
  const { busy, fault, submit } = useSaving(t.failed);
  const releases = what === 'release';
  const send = submit(async () => {
    onDone(await api.post<QuarantineView>(`/api/quarantine/${file.id}/${what}`, { reason }));
    notifyChanged();
    toast.success(releases ? t.released : t.removed);
    onClose();
  });
  return (
    <Dialog
      title={releases ? t.releaseOne(file.name) : t.removeOne(file.name)}
      size="md"
      isOpen
      onOpenChange={onClose}
    >
      <form className="contents" noValidate onSubmit={(event) => void send(event)}>
        <DialogBody className="flex flex-col gap-4">
          <ErrorAlert error={fault} />
          {releases && file.state === 'infected' && <Alert tone="warning">{t.infectedAbout}</Alert>}
          {releases && file.state === 'program' && <Alert tone="warning">{t.programAbout}</Alert>}
          <p>{releases ? t.releaseAbout : file.is_arriving ? t.removeArrivingAbout : t.removeAbout}</p>
          <TextArea
            label={t.reason}
            description={t.reasonHint}
            autoFocus
            rows={2}
            value={reason}
            onChange={setReason}
          />
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant={releases ? 'primary' : 'danger'} busy={busy}>
            {releases ? t.release : t.remove}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
