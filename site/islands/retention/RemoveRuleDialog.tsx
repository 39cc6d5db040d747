import type { RuleView } from '#server/documents/retention/contract.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as t from '#messages/retention.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { short } from '../../lib/middleCut.ts';
import { retentionCalls } from '../../lib/retention.ts';
import { toast } from '../../lib/toast.ts';
import { useForm } from '../../lib/useForm.ts';

interface RemoveRuleProps {
  rule: RuleView;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

/** Removes a rule; it needs a reason. */
export default function RemoveRuleDialog({ rule: { id, name }, onDone, onClose }: RemoveRuleProps) {
  const form = useForm({ reason: '' });
  async function submit() {
    const reason = form.values.reason.trim();
    if (reason === '') return form.show({ reason: t.removeReasonRequired });
    await retentionCalls.remove(id, reason);
    await onDone();
    toast.success(t.removed(short(name)));
    return onClose();
  }
  return (
    <FormDialog
      title={t.removeTitle(short(name))}
      form={form}
      onSubmit={form.submit(submit, t.failed)}
      onClose={onClose}
      action={t.doRemove}
      danger
    >
      <p>{t.removeAbout}</p>
      <TextField
        label={t.removeReason}
        {...form.field('reason')}
        maxLength={REASON_MAX}
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  );
}
