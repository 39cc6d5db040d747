import type { ReactNode } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';

/** What the rows of all kinds of entries get. */
export interface RowProps {
  /** The current time in milliseconds. */
  now: number;
  selected: boolean;
  onSelect: (on: boolean) => void;
  onOpen: () => void;
  onEnd: () => void;
}

interface EntryRowProps {
  entryKey: string;
  icon: ReactNode;
  /** Whether the entry can be ended; only then can it be selected. */
  canEnd: boolean;
  selectLabel: string;
  selected: boolean;
  onSelect: (on: boolean) => void;
  actions: ReactNode;
  /** What is open, and its state. */
  heading: ReactNode;
  /** For whom it is open. */
  recipient: ReactNode;
  /** Facts, one line each. */
  lines: readonly ReactNode[];
}

/** A row: checkbox, icon, what is open for whom, and actions. */
export function EntryRow({
  entryKey,
  icon,
  canEnd,
  selectLabel,
  selected,
  onSelect,
  actions,
  heading,
  recipient,
  lines,
}: EntryRowProps) {
  return (
    <li data-id={entryKey} className="flex items-start gap-3 border-b border-line py-3 sm:px-2">
      <Checkbox
        aria-label={selectLabel}
        isDisabled={!canEnd}
        isSelected={selected}
        onChange={onSelect}
        className={`pt-0.5 pointer-coarse:p-2 ${canEnd ? '' : 'invisible'}`}
      />
      <span className="mt-0.5 shrink-0 text-muted max-sm:hidden">{icon}</span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 font-medium break-words">{heading}</p>
        <p className="mt-0.5 break-words">{recipient}</p>
        {lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of a row keep their order
          <p key={index} className="mt-0.5 text-sm text-muted">
            {line}
          </p>
        ))}
      </div>
      {actions && <div className="flex shrink-0 gap-1">{actions}</div>}
    </li>
  );
}
