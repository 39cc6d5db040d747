import { useQuery } from '@tanstack/react-query';
import type { AuditPage } from '#server/audit/contract.ts';
import * as t from '#messages/details.ts';
import { nobodySignedIn, theServer } from '#messages/history.ts';
import { api } from '../../lib/api.ts';
import { formatDateTime } from '../../lib/format.ts';
import { historyHref } from '../../lib/search.ts';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** The number of latest entries shown; the History screen has all. */
const MAX_SHOWN = 4;

/** The latest history entries of an item and its contents. */
export function History({ item }: PartProps) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['history', 'item', item.id],
    queryFn: ({ signal }) =>
      api.get<AuditPage>('/api/audit', { query: { item: item.id, limit: MAX_SHOWN }, signal }),
  });
  const entries = data?.data ?? [];
  return (
    <Section
      title={t.history}
      aside={
        <a
          href={historyHref('item', item.id)}
          className="link text-sm"
          aria-label={t.allHistoryOf(item.name)}
        >
          {t.allHistory}
        </a>
      }
      loading={data === undefined}
      error={error}
      onRetry={() => void refetch()}
      retrying={isFetching}
    >
      {data && entries.length === 0 && <p className="text-muted">{t.noHistory}</p>}
      <ol>
        {entries.map(({ id, at, what, who, about, ip }) => (
          <li key={id} className="py-1 text-sm">
            <p className="break-words">
              {what}
              {about && about !== item.name && `: ${about}`}
            </p>
            <p className="tabular text-muted">
              {who ?? (ip === null ? theServer : nobodySignedIn)} ·{' '}
              <time dateTime={at}>{formatDateTime(at)}</time>
            </p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
