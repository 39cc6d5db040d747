import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { JudgeRow } from '#server/requests/contract.ts';
import * as t from '#messages/requests.ts';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { cx } from '../../lib/cx.ts';
import { formatTime } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { useBusy } from '../../lib/useBusy.ts';
import { calls } from '../request-dialogs/calls.ts';

const PLACE = 'min-h-11 shrink-0 border-b border-line bg-surface pointer-coarse:min-h-14';

/** The document of a request that the previewed file was sent for, with its judgement. Renders nothing for another file. */
export default function PreviewRequest({ requestId, itemId }: { requestId: number; itemId: number }) {
  const cache = useQueryClient();
  const key = ['requests', requestId] as const;
  const { data, isPending } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => calls.one(requestId, signal),
  });
  const { busy, run } = useBusy();
  const [asking, setAsking] = useState(false);
  const row = data?.rows.find(({ files }) => files.some(({ item_id }) => item_id === itemId));
  const file = row?.files.find(({ item_id }) => item_id === itemId);
  // The document below would jump.
  if (isPending) return <div className={PLACE} />;
  if (!data || !row || !file) return null;
  const state = row.state === 'accepted' ? 'accepted' : (file.judged ?? 'received');
  const mayJudge = data.state === 'open' && row.state !== 'accepted';
  const judge = async (how: JudgeRow): Promise<void> => {
    cache.setQueryData(key, await calls.judgeFile(requestId, file.id, how));
    await refresh(cache);
  };
  const judgeNow = (how: JudgeRow) =>
    void run(() => judge(how).catch((failure: unknown) => toast.error(messageOf(failure, t.failed))));

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
        {file.judged === 'returned' && data.tells_at && (
          <span className="text-muted">{t.tells(formatTime(data.tells_at))}</span>
        )}
      </p>
      {mayJudge && (
        <span className="flex gap-2">
          {/* One button, so that it keeps the focus. */}
          <Button
            size="sm"
            busy={busy}
            onPress={() =>
              judgeNow({ state: file.judged === 'accepted' ? 'received' : 'accepted', reason: '' })
            }
          >
            {file.judged === 'accepted' ? t.undoAccept : t.accept}
          </Button>
          {file.judged === null && (
            <Button size="sm" variant="quiet" onPress={() => setAsking(true)}>
              {t.sendBackWhy}
            </Button>
          )}
        </span>
      )}
      {asking && (
        <OneFieldDialog
          title={t.sendBackQuestion(file.name)}
          action={t.sendBack}
          field={{ name: 'reason', label: t.reason, description: t.reasonHint, maxLength: 500 }}
          required={t.reasonMissing}
          failed={t.failed}
          onSave={(reason) => judge({ state: 'returned', reason })}
          onClose={() => setAsking(false)}
          keepsTyped
        />
      )}
    </section>
  );
}
