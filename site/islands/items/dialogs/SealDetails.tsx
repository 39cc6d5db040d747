import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { SealedState } from '#server/documents/seals/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/seals.ts';
import { Alert } from '../../../components/Alert.tsx';
import { Button } from '../../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../../components/Dialog.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { messageOf } from '../../../lib/apiError.ts';
import { formatDate, formatDateTime } from '../../../lib/format.ts';
import { truncateMiddle } from '../../../lib/truncateMiddle.ts';
import { may } from '../../../lib/permissions.ts';
import { $session } from '../../../lib/session.ts';
import { BreakSealDialog } from './BreakSealDialog.tsx';
import { seals } from '../../seals/calls.ts';

const mayBreak = (): boolean => $session.get().user?.role === 'admin' && may('retention.manage');

/** A seal's facts, an integrity check, and for admins the button that breaks the seal. */
export function SealDetails({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const [breaking, setBreaking] = useState(false);
  const query = useQuery({ queryKey: ['seal', item.id], queryFn: () => seals.state(item.id) });
  if (breaking) return <BreakSealDialog item={item} onClose={onClose} />;
  const isOwnSeal = query.data?.seal?.item_id === item.id;
  return (
    <Dialog title={t.sealOf(truncateMiddle(item.name))} isOpen onOpenChange={onClose} size="md">
      <DialogBody className="flex flex-col gap-4">
        {query.error && (
          <Alert onRetry={() => void query.refetch()} retrying={query.isFetching}>
            {messageOf(query.error, t.loadFailed)}
          </Alert>
        )}
        {query.isPending && <LoadingRows />}
        {query.data && <Facts item={item} state={query.data} />}
      </DialogBody>
      <DialogFooter>
        {isOwnSeal && mayBreak() && (
          <Button variant="danger-quiet" onPress={() => setBreaking(true)}>
            {t.breakSeal}
          </Button>
        )}
        <Button variant="primary" onPress={onClose}>
          {common.close}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Facts({ item, state: { seal, broken } }: { item: ItemView; state: SealedState }) {
  const last = broken[0];
  if (!seal) return null;
  const facts: [string, string][] = [
    [t.by, seal.by],
    [t.at, formatDateTime(seal.at)],
    ...(seal.reason === null ? [] : [[t.reason, seal.reason] as [string, string]]),
    ...(seal.digest === ''
      ? []
      : [[t.covers, t.coversFiles(seal.files, seal.formatted_bytes)] as [string, string]]),
    [t.stillPossible, t.stillPossibleActions],
    ...(seal.digest === '' ? [] : [[t.digest, seal.digest] as [string, string]]),
  ];
  return (
    <>
      {seal.item_id !== item.id && (
        <p>{seal.item_id === null ? t.sealedWithUnseen : t.sealedWith(truncateMiddle(seal.name))}</p>
      )}
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-2 max-sm:grid-cols-1 max-sm:gap-y-0.5">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted max-sm:mt-2 max-sm:text-sm">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {seal.item_id !== null && <Check id={item.id} />}
      {!mayBreak() && <p className="text-muted">{t.askAdmin}</p>}
      {mayBreak() && seal.item_id !== item.id && <p className="text-muted">{t.breakOnOtherFolder}</p>}
      {last && (
        <p className="text-sm text-muted">
          {t.brokenBefore(last.broken_by ?? '', formatDate(last.broken_at), last.break_reason ?? '')}
        </p>
      )}
    </>
  );
}

/** Compares the files with the list recorded when they were sealed. */
function Check({ id }: { id: number }) {
  /** Whether the files are intact; a string is an error message. */
  const [outcome, setOutcome] = useState<boolean | string | null>(null);
  const [busy, setBusy] = useState(false);
  async function compare() {
    setBusy(true);
    const result = await seals
      .state(id, { check: true })
      .then(({ intact }) => intact === true)
      .catch((error: unknown) => messageOf(error, t.checkFailed));
    setOutcome(result);
    setBusy(false);
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <Button size="sm" busy={busy} onPress={() => void compare()}>
        {t.check}
      </Button>
      {outcome !== null && (
        <Alert tone={outcome === true ? 'success' : 'danger'} className="w-full">
          {typeof outcome === 'string' ? outcome : outcome ? t.isIntact : t.isChanged}
        </Alert>
      )}
    </div>
  );
}
