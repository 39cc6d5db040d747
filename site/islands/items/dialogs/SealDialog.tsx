import type { ItemView } from '#server/documents/contract.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as t from '#messages/seals.ts';
import { OneFieldDialog } from '../../../components/OneFieldDialog.tsx';
import { truncateMiddle } from '../../../lib/truncateMiddle.ts';
import { toast } from '../../../lib/toast.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { seals } from '../../seals/calls.ts';

/** Seals an item, after asking for the reason. */
export function SealDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const { refresh } = useItemScreen();

  async function seal(reason: string) {
    await seals.seal(item.id, reason);
    await refresh();
    toast.success(t.wasSealed(truncateMiddle(item.name)));
  }

  return (
    <OneFieldDialog
      title={t.sealOne(truncateMiddle(item.name))}
      field={{ name: 'reason', label: t.reason, description: t.reasonHint, maxLength: REASON_MAX }}
      required={t.reasonRequired}
      action={t.doSeal}
      onSave={seal}
      failed={t.sealFailed}
      onClose={onClose}
      keepsTyped
    >
      <p>{item.type === 'folder' ? t.whatSealing.folder : t.whatSealing.file}</p>
      <p className="text-muted">{t.whatSealing.still}</p>
    </OneFieldDialog>
  );
}
