import type { ItemView } from '#server/documents/contract.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as t from '#messages/seals.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { short } from '../../../lib/middleCut.ts';
import { toast } from '../../../lib/toast.ts';
import { useForm } from '../../../lib/useForm.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { seals } from '../../seals/calls.ts';

/** Asks for the reason, and seals. */
export function SealDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const { refresh } = useItemScreen();
  const form = useForm({ reason: '' });

  async function seal() {
    const reason = form.values.reason.trim();
    if (reason === '') return form.show({ reason: t.reasonRequired });
    await seals.seal(item.id, reason);
    await refresh();
    toast.success(t.wasSealed(short(item.name)));
    return onClose();
  }

  return (
    <FormDialog
      title={t.sealOne(short(item.name))}
      form={form}
      onSubmit={form.submit(seal, t.sealFailed)}
      onClose={onClose}
      action={t.doSeal}
    >
      <p>{item.type === 'folder' ? t.whatSealing.folder : t.whatSealing.file}</p>
      <p className="text-muted">{t.whatSealing.still}</p>
      <TextField
        label={t.reason}
        description={t.reasonHint}
        {...form.field('reason')}
        autoComplete="off"
        maxLength={REASON_MAX}
        autoFocus
      />
    </FormDialog>
  );
}
