import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { DestructionView } from '#server/documents/retention/contract.ts';
import * as t from '#messages/retention.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { Card } from '../../components/Card.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { formatDateTime } from '../../lib/format.ts';
import { certificateUrl, retentionCalls } from '../../lib/retention.ts';

export const CERTIFICATES = ['retention', 'destructions'] as const;
/** The polling interval while a destruction is running. */
const POLL_MS = 2000;

/** The destructions, each with its certificate. */
export function Certificates() {
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: CERTIFICATES,
      queryFn: ({ pageParam, signal }) => retentionCalls.destructions(pageParam, signal),
      initialPageParam: '',
      getNextPageParam: (page) => page.next_cursor,
      refetchInterval: (query) =>
        query.state.data?.pages[0]?.items.some(({ finished_at }) => finished_at === null) ? POLL_MS : false,
    });
  const all = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Card title={t.certificates}>
      {error && (
        <Alert onRetry={() => void refetch()} retrying={isFetching}>
          {messageOf(error, t.loadFailed)}
        </Alert>
      )}
      {data && all.length === 0 && <p className="text-muted">{t.noCertificates}</p>}
      {all.length > 0 && (
        <ul aria-label={t.certificates} className="divide-y divide-line">
          {all.map((destruction) => (
            <Certificate key={destruction.id} {...destruction} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button className="mt-3" busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </Card>
  );
}

const Certificate = (destruction: DestructionView) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
    <div className="min-w-0 flex-1 basis-60">
      <p className="font-medium">
        {t.certificate(String(destruction.id))}{' '}
        <span className="tabular font-normal text-muted">
          {destruction.finished_at === null
            ? t.beingDestroyed(destruction.listed)
            : t.destroyedFiles(destruction.files, destruction.formatted_bytes)}
          {destruction.stayed > 0 && ` · ${t.filesStayed(destruction.stayed)}`}
        </span>
      </p>
      <p className="text-sm break-words text-muted">
        {t.by(destruction.confirmed_by, formatDateTime(destruction.confirmed_at))} · {destruction.reason}
      </p>
    </div>
    {destruction.finished_at !== null && (
      <a
        href={certificateUrl(destruction.id)}
        download
        data-astro-reload
        aria-label={t.downloadOf(String(destruction.id))}
        className={buttonClass('secondary', 'sm')}
      >
        <Download aria-hidden size={14} />
        {t.downloadPdf}
      </a>
    )}
  </li>
);
