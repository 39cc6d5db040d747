import { cx } from '../lib/cx.ts';

/** Decorative: a text beside it must say what is in progress. */
export function Spinner({ size = 16, className }: { size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      width={size}
      height={size}
      className={cx('shrink-0 animate-spin', className)}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
    >
      <circle cx="8" cy="8" r="6.5" opacity="0.22" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" />
    </svg>
  );
}
