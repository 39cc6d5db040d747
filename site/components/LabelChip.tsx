import type { ReactNode } from 'react';
import type { LabelView } from '#server/documents/labels/contract.ts';
import { cx } from '../lib/cx.ts';

/** A label as it stands on an item. Its colour is told by its name as well. */
export const LabelChip = ({
  label,
  children,
  className,
}: {
  label: LabelView;
  /** A button within. */
  children?: ReactNode;
  className?: string;
}) => (
  <span data-colour={label.colour} title={label.name} className={cx('label-chip', className)}>
    <span className="min-w-0 truncate">{label.name}</span>
    {children}
  </span>
);

/** In a row so many have room, on a phone one; the rest are counted, and named to who asks. */
const IN_ROW = 2;

/** The labels of an item in a row of a list. They give way before its name. */
export function LabelChips({ labels }: { labels: readonly LabelView[] | undefined }) {
  if (!labels || labels.length === 0) return null;
  return (
    <span
      title={labels.map(({ name }) => name).join(', ')}
      className="label-chips flex min-w-14 shrink-[50] items-center gap-1 overflow-hidden"
    >
      {labels.slice(0, IN_ROW).map((label, index) => (
        <LabelChip key={label.id} label={label} className={index > 0 ? 'max-sm:hidden' : ''} />
      ))}
      {labels.length > IN_ROW && (
        <span className="label-more tabular max-sm:hidden">+{labels.length - IN_ROW}</span>
      )}
      {labels.length > 1 && <span className="label-more tabular sm:hidden">+{labels.length - 1}</span>}
    </span>
  );
}
