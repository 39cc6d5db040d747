import type { ReactNode } from 'react';
import type { LabelView } from '#server/documents/labels/contract.ts';
import { cx } from '../lib/cx.ts';

/** A label of an item. */
export const LabelChip = ({
  label,
  children,
  className,
}: {
  label: LabelView;
  /** An optional button inside the chip. */
  children?: ReactNode;
  className?: string;
}) => (
  <span data-colour={label.colour} title={label.name} className={cx('label-chip', className)}>
    <span className="min-w-0 truncate">{label.name}</span>
    {children}
  </span>
);

/** Labels shown in a row; on a phone only one. The rest are a count, with their names in the tooltip. */
const SHOWN_IN_ROW = 2;

/** The labels of an item in a list row. They shrink before the item's name does. */
export function LabelChips({ labels }: { labels: readonly LabelView[] | undefined }) {
  if (!labels || labels.length === 0) return null;
  return (
    <span
      title={labels.map(({ name }) => name).join(', ')}
      className="label-chips flex min-w-10 shrink-[9999] items-center gap-1 overflow-hidden"
    >
      {labels.slice(0, SHOWN_IN_ROW).map((label, index) => (
        <LabelChip key={label.id} label={label} className={index > 0 ? 'max-sm:hidden' : ''} />
      ))}
      {labels.length > SHOWN_IN_ROW && (
        <span className="label-more tabular max-sm:hidden">+{labels.length - SHOWN_IN_ROW}</span>
      )}
      {labels.length > 1 && <span className="label-more tabular sm:hidden">+{labels.length - 1}</span>}
    </span>
  );
}
