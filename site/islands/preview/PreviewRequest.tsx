import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { JudgeRow, RequestView } from '#server/requests/contract.ts';
import * as t from '#messages/requests.ts';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { Tooltip } from '../../components/Tooltip.tsx';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { cx } from '../../lib/cx.ts';
import { formatTime } from '../../lib/format.ts';
import { sendsEmail } from '../../lib/sendsEmail.ts';
import { toast } from '../../lib/toast.ts';
import { useBusy } from '../../lib/useBusy.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { calls } from '../request-dialogs/calls.ts';
import { keepPreviewed } from '../request-dialogs/lastPreviewed.ts';
import { isElsewhere } from './isElsewhere.ts';
import { isUndo } from '../../lib/undoKey.ts';
import type { Judged } from './lastAct.ts';
import { lastAct } from './lastAct.ts';

const PLACE = 'min-h-11 shrink-0 border-b border-line bg-surface pointer-coarse:min-h-14';

/** The document of a request that the previewed file was sent for, with its judgement. Renders nothing for another file. */
export default function PreviewRequest({ requestId, itemId }: { requestId: number; itemId: number }) {
  const cache = useQueryClient();
  const key = ['requests', requestId] as const;
  const { data, isPending } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => calls.one(requestId, signal),
  });
  useEffect(() => keepPreviewed(requestId, itemId), [requestId, itemId]);
  const { busy, run } = useBusy();
  const [asking, setAsking] = useState(false);
  const [overruling, setOverruling] = useState(false);
  const sentOf = (id: number) => {
    const row = data?.rows.find(({ files }) => files.some(({ item_id }) => item_id === id));
    const file = row?.files.find(({ item_id }) => item_id === id);
    const isLine = row?.state === 'accepted';
    // One that was sent back stays so when the line is accepted without it.
    const state: JudgeRow['state'] = file?.judged ?? (isLine ? 'accepted' : 'received');
    return { row, file, isLine, state };
  };
  const { row, file, isLine, state } = sentOf(itemId);
  const isAccepted = isLine || state === 'accepted';
  const mayJudge = isLine ? data?.state !== 'closed' : data?.state === 'open';
  const save = async (work: Promise<RequestView>, judged: Judged | null): Promise<void> => {
    const view = await work;
    // What is being read may be older.
    await cache.cancelQueries({ queryKey: key });
    cache.setQueryData(key, view);
    // Ctrl+Z takes it back, also from the next file.
    lastAct.current = judged && { what: 'judged', requestId, ...judged };
    // Not awaited, since the next key would be lost although the decision is shown.
    void refresh(cache);
  };
  function judge(state: JudgeRow['state'], id = itemId): void {
    const { row, file, isLine } = sentOf(id);
    if (!row || !file) return;
    const how = { state, reason: '' };
    // A line that is accepted is opened again as a whole.
    const work = async () => {
      const judged = state === 'received' ? null : { itemId: id, state };
      await save(
        isLine ? calls.judge(requestId, row.id, how) : calls.judgeFile(requestId, file.id, how),
        judged,
      );
      if (id !== itemId) toast.success(t.takenBack(file.name));
    };
    void run(() => work().catch((failure: unknown) => toast.error(messageOf(failure, t.failed))));
  }
  // From file to file by arrows the buttons lose the focus, so each decision has a key.
  useDocumentEvent('keydown', (event) => {
    if (event.defaultPrevented || isElsewhere(event) || event.altKey || busy || event.repeat) return;
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      const last = lastAct.current;
      if (!isUndo(event) || last?.what !== 'judged' || last.requestId !== requestId) return;
      // A colleague has decided since.
      if (sentOf(last.itemId).state !== last.state) return;
      event.preventDefault();
      return judge('received', last.itemId);
    }
    if (!file || !mayJudge) return;
    if (key === 'a' && !isAccepted) judge('accepted');
    else if (key === 's' && state === 'received' && !isAccepted) setAsking(true);
    else return;
    event.preventDefault();
  });
  // The document below would jump.
  if (isPending) return <div className={PLACE} />;
  if (!data || !row || !file) return null;
  const isTold = sendsEmail() && data.email !== '';
  const description = isTold ? t.reasonHint : `${t.reasonHint}. ${t.notTold}`;
  async function sendBack(reason: string): Promise<void> {
    try {
      const how = { state: 'returned', reason, overrule: overruling } as const;
      await save(calls.judgeFile(requestId, file!.id, how), { itemId, state: how.state });
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 409) throw failure;
      // The reason stays, and is sent by a second press.
      setOverruling(true);
      throw new ApiError(409, failure.code, t.acceptedMeanwhile);
    }
  }

  return (
    <section
      aria-label={t.asked}
      className={cx(PLACE, 'flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 max-sm:px-3')}
    >
      <p className="flex min-w-40 flex-1 flex-wrap items-center gap-x-2 text-sm">
        <span className="font-medium wrap-anywhere">{row.name}</span>
        <Badge tone={state === 'accepted' ? 'success' : state === 'returned' ? 'warning' : 'accent'}>
          {t.rowStates[state]}
        </Badge>
        {file.judged_reason && <span className="wrap-anywhere text-muted">{file.judged_reason}</span>}
        {!isLine && state === 'returned' && (data.tells_at || !isTold) && (
          <span className="text-muted">{isTold ? t.tells(formatTime(data.tells_at!)) : t.notTold}</span>
        )}
      </p>
      {mayJudge && (
        <span className="flex gap-2">
          {/* The same buttons before and after, so that they keep the focus. */}
          <Tooltip text={t.accept} shortcut="A" isDisabled={isAccepted}>
            <Button size="sm" busy={busy} onPress={() => judge(isAccepted ? 'received' : 'accepted')}>
              {!isAccepted ? t.accept : isLine && row.files.length > 1 ? t.undoAcceptLine : t.undoAccept}
            </Button>
          </Tooltip>
          {!isAccepted && (
            <Tooltip text={t.sendBack} shortcut="S" isDisabled={state === 'returned'}>
              <Button
                size="sm"
                variant="quiet"
                onPress={() => (state === 'returned' ? judge('received') : setAsking(true))}
              >
                {state === 'returned' ? t.undoReturn : t.sendBackWhy}
              </Button>
            </Tooltip>
          )}
        </span>
      )}
      {asking && (
        <OneFieldDialog
          title={t.sendBackQuestion(file.name)}
          action={overruling ? t.sendBackAllTheSame : t.sendBack}
          field={{ name: 'reason', label: t.reason, description, maxLength: 500 }}
          required={t.reasonMissing}
          failed={t.failed}
          onSave={sendBack}
          onClose={() => {
            setAsking(false);
            setOverruling(false);
          }}
          keepsTyped
        />
      )}
    </section>
  );
}
