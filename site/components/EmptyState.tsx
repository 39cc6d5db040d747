import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** `h1` when the empty state is the whole page. */
  as?: 'p' | 'h1';
  /** The next step for the user. */
  children?: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
  /** Whether a changed search or filter is loading, which may find something. */
  busy?: boolean;
  className?: string;
}

export function EmptyState({
  icon,
  title,
  as: Title = 'p',
  children,
  actions,
  busy = false,
  className,
}: EmptyStateProps) {
  return (
    <div
      className={cx('flex flex-col items-center px-6 py-16 text-center', busy && 'opacity-60', className)}
      aria-busy={busy}
    >
      {icon && (
        <div
          aria-hidden="true"
          className="mb-4 flex size-14 items-center justify-center rounded-full bg-sunken text-muted"
        >
          {icon}
        </div>
      )}
      <Title className="text-lg font-semibold">{title}</Title>
      {children && <p className="mt-1 max-w-sm text-base text-pretty text-muted">{children}</p>}
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
