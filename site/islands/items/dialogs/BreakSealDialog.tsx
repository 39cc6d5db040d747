import type { ItemView } from '#server/documents/contract.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/seals.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { short } from '../../../lib/middleCut.ts';
import { toast } from '../../../lib/toast.ts';
import { useForm } from '../../../lib/useForm.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { CurrentPassword } from '../../../components/CurrentPassword.tsx';
import { seals } from '../../seals/calls.ts';

/** Asks for the password and the reason, and breaks the seal. */
export function BreakSealDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const { refresh } = useItemScreen();
  const form = useForm({ current_password: '', reason: '' });

  async function breakIt() {
    const { current_password, reason } = form.typed();
    if (!current_password || !reason.trim())
      return form.show({
        ...(!current_password && { current_password: common.passwordRequired }),
        ...(!reason.trim() && { reason: t.breakReasonRequired }),
      });
    await seals.break(item.id, { current_password, reason: reason.trim() });
    await refresh();
    toast.success(t.wasBroken(short(item.name)));
    return onClose();
  }

  return (
    <FormDialog
      title={t.breakTitle(short(item.name))}
      form={form}
      onSubmit={form.submit(breakIt, t.breakFailed)}
      onClose={onClose}
      action={t.doBreak}
      danger
    >
      <p>{t.breakAbout}</p>
      <CurrentPassword form={form} />
      <TextField label={t.breakReason} {...form.field('reason')} autoComplete="off" maxLength={REASON_MAX} />
    </FormDialog>
  );
}
