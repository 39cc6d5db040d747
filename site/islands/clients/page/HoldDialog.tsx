import type { ClientView } from '#server/clients/contract.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as t from '#messages/holds.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { api } from '../../../lib/api.ts';
import { short } from '../../../lib/middleCut.ts';
import { toast } from '../../../lib/toast.ts';
import { useForm } from '../../../lib/useForm.ts';

interface HoldDialogProps {
  client: Pick<ClientView, 'id' | 'name'>;
  /** There is a hold: it is to be lifted. */
  held: boolean;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

/** Places a legal hold on a client, or lifts it; either needs a reason. */
export default function HoldDialog({ client: { id, name }, held, onDone, onClose }: HoldDialogProps) {
  const form = useForm({ reason: '' });

  async function submit() {
    const reason = form.values.reason.trim();
    if (reason === '') return form.show({ reason: held ? t.liftReasonRequired : t.reasonRequired });
    await api.post(held ? `/api/clients/${id}/hold/lift` : `/api/clients/${id}/hold`, { reason });
    await onDone();
    toast.success(held ? t.lifted(short(name)) : t.placed(short(name)));
    return onClose();
  }

  return (
    <FormDialog
      title={held ? t.liftTitle(short(name)) : t.placeTitle(short(name))}
      form={form}
      onSubmit={form.submit(submit, held ? t.liftFailed : t.placeFailed)}
      onClose={onClose}
      action={held ? t.doLift : t.doPlace}
      danger={held}
    >
      <p>{held ? t.liftAbout : t.placeAbout}</p>
      {!held && <p className="text-muted">{t.placeStill}</p>}
      <TextField
        label={held ? t.liftReason : t.reason}
        {...(!held && { description: t.reasonHint })}
        {...form.field('reason')}
        autoComplete="off"
        maxLength={REASON_MAX}
        autoFocus
      />
    </FormDialog>
  );
}
