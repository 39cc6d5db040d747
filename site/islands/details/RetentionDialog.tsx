import type { ItemView } from '#server/documents/contract.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as t from '#messages/retention.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { short } from '../../lib/middleCut.ts';
import { retentionCalls } from '../../lib/retention.ts';
import { toast } from '../../lib/toast.ts';
import { useForm } from '../../lib/useForm.ts';

interface RetentionDialogProps {
  item: Pick<ItemView, 'id' | 'name'>;
  /** The day from which rules count, or that they do not apply. */
  what: 'day' | 'exempt';
  /** The item's own day as it is, `YYYY-MM-DD`; '' for none. */
  day: string;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

/** Says of an item from which day its retention counts, or that the rules do not apply to it. */
export default function RetentionDialog({
  item: { id, name },
  what,
  day,
  onDone,
  onClose,
}: RetentionDialogProps) {
  const form = useForm({ counts_from: day, exempt_reason: '' });
  async function submit() {
    const { counts_from, exempt_reason } = form.typed();
    if (what === 'exempt' && !exempt_reason.trim())
      return form.show({ exempt_reason: t.takeOutReasonRequired });
    await retentionCalls.mark(
      id,
      what === 'day' ? { counts_from: counts_from || null } : { exempt_reason: exempt_reason.trim() },
    );
    await onDone();
    toast.success(what === 'day' ? t.daySaved : t.takenOut);
    return onClose();
  }
  return (
    <FormDialog
      title={what === 'day' ? t.dayTitle(short(name)) : t.takeOutTitle(short(name))}
      form={form}
      onSubmit={form.submit(submit, what === 'day' ? t.dayFailed : t.failed)}
      onClose={onClose}
      action={what === 'day' ? t.save : t.doTakeOut}
      danger={what === 'exempt'}
    >
      <p>{what === 'day' ? t.dayAbout : t.takeOutAbout}</p>
      {what === 'day' ? (
        <TextField label={t.day} type="date" {...form.field('counts_from')} autoFocus />
      ) : (
        <TextField
          label={t.takeOutReason}
          {...form.field('exempt_reason')}
          maxLength={REASON_MAX}
          autoComplete="off"
          autoFocus
        />
      )}
    </FormDialog>
  );
}
