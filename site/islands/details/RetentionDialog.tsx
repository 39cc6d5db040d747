import type { ItemView } from '#server/documents/contract.ts';
import type { MarkItem } from '#server/documents/retention/contract.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as t from '#messages/retention.ts';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { retentionCalls } from '../../lib/retention.ts';
import { toast } from '../../lib/toast.ts';

interface RetentionDialogProps {
  item: Pick<ItemView, 'id' | 'name'>;
  /** Whether to set the day from which rules count, or the exemption from them. */
  what: 'day' | 'exempt';
  /** The item's current own day, `YYYY-MM-DD`; '' for none. */
  day: string;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

/** Sets the day from which an item's retention counts, or exempts it from the rules. */
export default function RetentionDialog({
  item: { id, name },
  what,
  day,
  onDone,
  onClose,
}: RetentionDialogProps) {
  async function save(mark: MarkItem, message: string) {
    await retentionCalls.mark(id, mark);
    await onDone();
    toast.success(message);
  }
  return what === 'day' ? (
    <OneFieldDialog
      title={t.dayTitle(truncateMiddle(name))}
      field={{ name: 'counts_from', type: 'date', label: t.day }}
      initial={day}
      action={t.save}
      onSave={(entered) => save({ counts_from: entered || null }, t.daySaved)}
      failed={t.dayFailed}
      onClose={onClose}
    >
      <p>{t.dayAbout}</p>
    </OneFieldDialog>
  ) : (
    <OneFieldDialog
      title={t.takeOutTitle(truncateMiddle(name))}
      field={{ name: 'exempt_reason', label: t.takeOutReason, maxLength: REASON_MAX }}
      required={t.takeOutReasonRequired}
      action={t.doTakeOut}
      danger
      onSave={(exempt_reason) => save({ exempt_reason }, t.takenOut)}
      failed={t.failed}
      onClose={onClose}
    >
      <p>{t.takeOutAbout}</p>
    </OneFieldDialog>
  );
}
