import type { ItemView } from '#server/documents/contract.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as t from '#messages/seals.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { truncateMiddle } from '../../../lib/truncateMiddle.ts';
import { toast } from '../../../lib/toast.ts';
import { useForm } from '../../../lib/useForm.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { seals } from '../../seals/calls.ts';

/** Breaks a seal, after asking for the reason. */
export function BreakSealDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const { refresh } = useItemScreen();
  const form = useForm({ reason: '' });

  async function breakIt() {
    const { reason } = form.readValues();
    if (!reason.trim()) return form.showErrors({ reason: t.breakReasonRequired });
    await seals.break(item.id, { reason: reason.trim() });
    await refresh();
    toast.success(t.wasBroken(truncateMiddle(item.name)));
    return onClose();
  }

  return (
    <FormDialog
      title={t.breakTitle(truncateMiddle(item.name))}
      form={form}
      onSubmit={form.submit(breakIt, t.breakFailed)}
      onClose={onClose}
      keepsTyped
      action={t.doBreak}
      danger
    >
      <p>{t.breakAbout}</p>
      <TextField
        label={t.breakReason}
        {...form.field('reason')}
        autoComplete="off"
        autoFocus
        maxLength={REASON_MAX}
      />
    </FormDialog>
  );
}
