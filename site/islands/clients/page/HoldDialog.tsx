import type { ClientView } from '#server/clients/contract.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as t from '#messages/holds.ts';
import { OneFieldDialog } from '../../../components/OneFieldDialog.tsx';
import { api } from '../../../lib/api.ts';
import { truncateMiddle } from '../../../lib/truncateMiddle.ts';
import { toast } from '../../../lib/toast.ts';

interface HoldDialogProps {
  client: Pick<ClientView, 'id' | 'name'>;
  /** Whether there is a hold, which the dialog then lifts. */
  held: boolean;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

/** Places a legal hold on a client or lifts it, with a reason. */
export default function HoldDialog({ client: { id, name }, held, onDone, onClose }: HoldDialogProps) {
  async function save(reason: string) {
    await api.post(held ? `/api/clients/${id}/hold/lift` : `/api/clients/${id}/hold`, { reason });
    await onDone();
    toast.success(held ? t.lifted(truncateMiddle(name)) : t.placed(truncateMiddle(name)));
  }

  return (
    <OneFieldDialog
      title={held ? t.liftTitle(truncateMiddle(name)) : t.placeTitle(truncateMiddle(name))}
      field={{
        name: 'reason',
        label: held ? t.liftReason : t.reason,
        description: held ? undefined : t.reasonHint,
        maxLength: REASON_MAX,
      }}
      required={held ? t.liftReasonRequired : t.reasonRequired}
      action={held ? t.doLift : t.doPlace}
      danger={held}
      onSave={save}
      failed={held ? t.liftFailed : t.placeFailed}
      onClose={onClose}
    >
      <p>{held ? t.liftAbout : t.placeAbout}</p>
      {!held && <p className="text-muted">{t.placeStill}</p>}
    </OneFieldDialog>
  );
}
