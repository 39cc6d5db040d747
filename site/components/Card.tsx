import type { ReactNode } from 'react';
import { useId } from 'react';
import { cx } from '../lib/cx.ts';

/** A titled box. */
export function Card({
  title,
  aside,
  children,
  className,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cx('rounded-lg border border-line p-4', className)}>
      <header className="mb-3 flex min-h-7 items-center gap-3">
        <h2 id={id} className="min-w-0 flex-1 text-base font-semibold">
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A term and its value in a `<dl>`. */
export const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4 py-1.5">
    <dt className="text-muted">{term}</dt>
    <dd className="tabular min-w-0 text-right font-medium">{children}</dd>
  </div>
);
