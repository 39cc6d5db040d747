import type { ReactNode } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';

interface EntryRowProps {
  entryKey: string;
  icon: ReactNode;
  /** Whether the entry can be ended; only then can it be selected. */
  canEnd: boolean;
  selectLabel: string;
  selected: boolean;
  onSelect: (on: boolean) => void;
  actions: ReactNode;
  children: ReactNode;
}

/** The frame of a row: checkbox, icon, content and actions. */
export function EntryRow({
  entryKey,
  icon,
  canEnd,
  selectLabel,
  selected,
  onSelect,
  actions,
  children,
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
      <div className="min-w-0 flex-1">{children}</div>
      {actions && <div className="flex shrink-0 gap-1">{actions}</div>}
    </li>
  );
}
