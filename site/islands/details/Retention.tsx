import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as t from '#messages/retention.ts';
import * as shell from '#messages/shell.ts';
import { Button } from '../../components/Button.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { refreshKeys } from '../../lib/cache.ts';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { formatPeriod, retentionCalls } from '../../lib/retention.ts';
import { toast } from '../../lib/toast.ts';
import { useMay } from '../../lib/useMay.ts';
import { Fact, Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

const RetentionDialog = lazyWithRetry(() => import('./RetentionDialog.tsx'));

/** The retention rules of an item, their end, and the day from which they count. Renders nothing if no rule applies. */
export function RetentionSection({ item }: PartProps) {
  const cache = useQueryClient();
  const may = useMay();
  const [dialog, openDialog] = useState<'day' | 'exempt' | null>(null);
  const [busy, setBusy] = useState(false);
  const key = ['retention', 'of', item.id] as const;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => retentionCalls.of(item.id, signal),
  });
  if (!data && !error) return null;
  const [longest, ...others] = data?.rules ?? [];
  if (data && !longest && data.day === null && data.exempt_reason === null) return null;
  const changed = () => refreshKeys(cache, ['retention']);

  async function putBack() {
    setBusy(true);
    try {
      cache.setQueryData(key, await retentionCalls.mark(item.id, { exempt_reason: null }));
      await changed();
    } catch (failed) {
      toast.error(messageOf(failed, t.failed));
    }
    setBusy(false);
  }

  return (
    <Section title={shell.retention} error={error} onRetry={() => void refetch()} retrying={isFetching}>
      {data && (
        <>
          <dl>
            {longest && (
              <>
                <Fact term={longest.run_out ? t.ranOutOn : t.keptUntil}>
                  {longest.until !== null
                    ? formatDate(longest.until)
                    : item.type === 'folder'
                      ? t.eachFile
                      : t.notBeforeDay}
                </Fact>
                <Fact term={t.rule}>
                  {longest.rule}:{' '}
                  {t.periodFrom(formatPeriod(longest.months), t.countsFrom[longest.counts_from])}
                </Fact>
              </>
            )}
            {others.length > 0 && (
              <Fact term={t.otherRules}>{others.map(({ rule }) => rule).join(', ')}</Fact>
            )}
            {data.day !== null && (
              <Fact term={t.countedFrom}>
                {data.own_day ? formatDate(data.day) : t.dayOfFolder(formatDate(data.day))}
              </Fact>
            )}
            {data.exempt_reason !== null && (
              <Fact term={t.exempt}>
                {data.exempt_reason}
                {!data.own_exemption && ` (${t.exemptOfFolder})`}
              </Fact>
            )}
          </dl>
          {data.set_by !== null && data.set_at !== null && (
            <p className="py-0.5 text-sm text-muted">
              {t.enteredBy(data.set_by, formatDateTime(data.set_at))}
            </p>
          )}
          {may('retention.manage') && (
            <div className="flex flex-wrap gap-2 pt-1.5">
              {data.own_exemption ? (
                <Button size="sm" busy={busy} onPress={() => void putBack()}>
                  {t.putBack}
                </Button>
              ) : (
                <>
                  <Button size="sm" onPress={() => openDialog('day')}>
                    {t.enterDay}
                  </Button>
                  <Button size="sm" variant="quiet" onPress={() => openDialog('exempt')}>
                    {t.takeOut}
                  </Button>
                </>
              )}
            </div>
          )}
          {dialog && (
            <RetentionDialog
              item={item}
              what={dialog}
              day={data.own_day ? (data.day ?? '') : ''}
              onDone={changed}
              onClose={() => openDialog(null)}
            />
          )}
        </>
      )}
    </Section>
  );
}
