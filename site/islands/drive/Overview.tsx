import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Stats } from '#server/dashboard/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/drive.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { ProgressBar } from '../../components/ProgressBar.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { formatCount, relativeTime } from '../../lib/format.ts';
import { api } from '../../lib/api.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { storageTone } from '../../lib/storageTone.ts';
import { useClock } from '../../lib/useClock.ts';

/** The firm's statistics and its newest files. */
export interface OverviewData {
  stats: Stats;
  recent: readonly ItemView[];
}

export const NEWEST_SHOWN = 4;
export const OVERVIEW_KEY = ['overview'];

export const useOverview = () =>
  useQuery({
    queryKey: OVERVIEW_KEY,
    queryFn: async () => {
      const [stats, recent] = await Promise.all([
        api.get<Stats>('/api/dashboard/stats'),
        api.get<ItemView[]>('/api/dashboard/newest-files', { query: { limit: NEWEST_SHOWN } }),
      ]);
      return { stats, recent };
    },
  });

/** Statistics and newest files above the root's listing. */
export function Overview({ now }: { now: number }) {
  const { data, isError } = useOverview();
  const clock = useClock(now);
  // The overview is optional: on failure the listing below still works.
  if (isError && !data) return null;
  return (
    <section aria-label={t.overview} className="mb-2 rounded-lg border border-line">
      <div className="flex min-h-7 flex-wrap items-center gap-x-6 px-3 py-0.5">
        {data ? <Figures {...data.stats} /> : <Skeleton className="h-4 w-80 max-w-full" />}
      </div>
      {data && data.recent.length > 0 && (
        <ul
          aria-label={t.newestFiles}
          className="grid grid-cols-1 gap-x-2 border-t border-line px-1 py-0.5 sm:grid-cols-2 lg:grid-cols-4"
        >
          {data.recent.map((item, index) => (
            <li key={item.id} className={index < 2 ? 'min-w-0' : 'min-w-0 max-sm:hidden'}>
              <Newest item={item} clock={clock} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Figures(stats: Stats) {
  const { total_files, total_clients, used_formatted, limit_formatted, percentage } = stats;
  return (
    <>
      <dl className="flex flex-wrap gap-x-6">
        <Figure label={t.files}>{formatCount(total_files)}</Figure>
        <Figure label={t.clients}>{formatCount(total_clients)}</Figure>
        <Figure label={t.storage}>
          {used_formatted} <span className="font-normal text-muted">{t.ofLimit(limit_formatted)}</span>
        </Figure>
      </dl>
      <div className="min-w-24 flex-1 sm:max-w-48">
        <ProgressBar value={percentage} label={t.storageUsed} tone={storageTone(stats)} />
      </div>
    </>
  );
}

const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex items-baseline gap-1.5 text-sm">
    <dt className="text-muted">{label}</dt>
    <dd className="tabular font-semibold">{children}</dd>
  </div>
);

const Newest = ({ item, clock }: { item: ItemView; clock: number }) => (
  <a
    href={driveHref({ folderId: item.parent_id, highlightId: item.id })}
    className="flex h-10 items-center gap-2.5 rounded-sm px-2 pointer-coarse:h-11 text-text no-underline hover:bg-hover"
  >
    <FileGlyph fileType={item.file_type} size={20} />
    <span className="flex min-w-0 flex-1 flex-col">
      {/* Devanagari is taller than Latin: a smaller line height would cut its head stroke. */}
      <span className="flex min-w-0 text-sm leading-[22px]">
        <MiddleCut text={item.name} />
      </span>
      <span className="truncate text-xs leading-4 text-muted">
        {[relativeTime(item.uploaded_at, clock), item.client_name ?? item.path].filter(Boolean).join(' · ')}
      </span>
    </span>
  </a>
);
