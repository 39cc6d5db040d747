import type { ReactNode } from 'react';
import { useId } from 'react';
import * as t from '#messages/details.ts';
import { Alert } from '../../components/Alert.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { useDelayed } from '../../lib/useDelayed.ts';

export interface SectionProps {
  title: string;
  /** A link or a small button at the end of the title. */
  aside?: ReactNode;
  /** Whether to show a loading state. */
  loading?: boolean;
  error?: unknown;
  onRetry?: () => void;
  retrying?: boolean;
  children: ReactNode;
}

/** A titled section of the details, with its loading and error states. */
export function Section({ title, aside, loading, error, onRetry, retrying, children }: SectionProps) {
  const id = useId();
  const late = useDelayed(loading === true, 150);
  return (
    <section aria-labelledby={id} className="border-t border-line px-4 py-3">
      <header className="flex min-h-7 items-center gap-2">
        <h3 id={id} className="min-w-0 flex-1 text-sm font-semibold">
          {title}
        </h3>
        {aside}
      </header>
      {error != null && (
        <Alert onRetry={onRetry} retrying={retrying === true} className="my-1">
          {messageOf(error, t.sectionFailed)}
        </Alert>
      )}
      {loading && error == null ? (
        <div role="status" aria-busy="true" aria-label={t.loadingSection(title)} className="min-h-10 py-1">
          {late && (
            <span className="flex flex-col gap-2">
              <Skeleton className="h-4 w-4/5" />
              <Skeleton className="h-4 w-3/5" />
            </span>
          )}
        </div>
      ) : (
        children
      )}
    </section>
  );
}

/** A term and its value in a definition list. */
export const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="flex items-baseline gap-3 py-1">
    <dt className="w-26 shrink-0 text-sm text-muted">{term}</dt>
    <dd className="tabular min-w-0 flex-1 break-words">{children}</dd>
  </div>
);
