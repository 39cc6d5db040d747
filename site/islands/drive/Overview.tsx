import type { ReactNode } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { ProgressBar } from '../../components/ProgressBar.tsx';
import { formatCount, relativeTime } from '../../lib/format.ts';
import { addressOf } from './place.ts';

/** The firm's figures, as the dashboard's answers give them. */
export interface Figures {
  total_files: number;
  total_clients: number;
  used_formatted: string;
  limit_formatted: string;
  /** 0 to 100. */
  percentage: number;
}

export interface OverviewProps {
  figures: Figures;
  recent: readonly ItemView[];
  /** Milliseconds; the server's, so that its page and the browser's say the same. */
  now: number;
}

/** Above the listing of the root: how much there is, and what came in last. */
export function Overview({ figures, recent, now }: OverviewProps) {
  const { percentage } = figures;
  const tone = percentage >= 90 ? 'danger' : percentage >= 75 ? 'warning' : 'accent';
  return (
    <section aria-label="Overview" className="mb-4 rounded-lg border border-line">
      <dl className="flex flex-wrap items-center gap-x-8 gap-y-2 px-4 py-3">
        <Figure label="Files">{formatCount(figures.total_files)}</Figure>
        <Figure label="Clients">{formatCount(figures.total_clients)}</Figure>
        <div className="min-w-52 flex-1 sm:max-w-80">
          <Figure label="Storage">
            {figures.used_formatted}{' '}
            <span className="font-normal text-muted">of {figures.limit_formatted}</span>
          </Figure>
          <ProgressBar value={percentage} label="Storage used" tone={tone} className="mt-1.5" />
        </div>
      </dl>
      {recent.length > 0 && (
        <div className="border-t border-line px-2 pt-2 pb-2">
          <h2 className="px-2 text-xs font-medium text-muted">Newest files</h2>
          <ul className="mt-0.5 grid grid-cols-2 gap-x-2 lg:grid-cols-4">
            {recent.slice(0, 4).map((item) => (
              <li key={item.id} className="min-w-0">
                <a
                  href={addressOf({ folderId: item.parent_id, highlightId: item.id })}
                  className="flex h-10 items-center gap-2.5 rounded-sm px-2 text-text no-underline hover:bg-hover pointer-coarse:h-11"
                >
                  <FileGlyph fileType={item.file_type} size={18} />
                  <span className="flex min-w-0 flex-1 flex-col leading-4">
                    <span className="flex min-w-0 text-sm">
                      <MiddleCut text={item.name} />
                    </span>
                    <span className="truncate text-xs text-muted">{relativeTime(item.uploaded_at, now)}</span>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex items-baseline gap-2">
    <dt className="text-sm text-muted">{label}</dt>
    <dd className="tabular text-lg font-semibold">{children}</dd>
  </div>
);
