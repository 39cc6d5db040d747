import { cx } from '../lib/cx.ts';

export interface AvatarProps {
  /** At most two letters. */
  initials: string;
  size?: 'sm' | 'md' | 'lg';
  className?: string;
}

const SIZES = { sm: 'size-6 text-[0.625rem]', md: 'size-8 text-xs', lg: 'size-10 text-base' };

/** Decorative: the name must be shown beside it or label the control around it. */
export const Avatar = ({ initials, size = 'md', className }: AvatarProps) => (
  <span
    aria-hidden="true"
    className={cx(
      'inline-flex shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold tracking-wide text-accent-text select-none',
      SIZES[size],
      className,
    )}
  >
    {initials}
  </span>
);
