import { cx } from '../lib/cx.ts';

/** A grey stand-in of the size of what is coming. Readers are told by whoever shows it (`aria-busy`). */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={cx('block animate-pulse rounded-xs bg-pressed', className)} />
);
