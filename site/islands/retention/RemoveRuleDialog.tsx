import type { RuleView } from '#server/documents/retention/contract.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as t from '#messages/retention.ts';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { retentionCalls } from '../../lib/retention.ts';
import { toast } from '../../lib/toast.ts';

interface RemoveRuleProps {
  rule: RuleView;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

/** Removes a rule, with a reason. */
export default function RemoveRuleDialog({ rule: { id, name }, onDone, onClose }: RemoveRuleProps) {
  async function remove(reason: string) {
    await retentionCalls.remove(id, reason);
    await onDone();
    toast.success(t.removed(truncateMiddle(name)));
  }
  return (
    <OneFieldDialog
      title={t.removeTitle(truncateMiddle(name))}
      field={{ name: 'reason', label: t.removeReason, maxLength: REASON_MAX }}
      required={t.removeReasonRequired}
      action={t.doRemove}
      danger
      onSave={remove}
      failed={t.failed}
      onClose={onClose}
      keepsTyped
    >
      <p>{t.removeAbout}</p>
    </OneFieldDialog>
  );
}
