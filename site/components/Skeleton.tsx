import { cx } from '../lib/cx.ts';

/** A grey placeholder of the size of the content to come. The element around it must set `aria-busy`. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={cx('block animate-pulse rounded-xs bg-pressed', className)} />
);
