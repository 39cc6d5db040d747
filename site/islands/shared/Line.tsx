import type { ReactNode } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';

interface LineProps {
  entry: string;
  icon: ReactNode;
  /** Whether it can be ended, and so be chosen for that. */
  alive: boolean;
  chooseLabel: string;
  selected: boolean;
  onSelect: (on: boolean) => void;
  actions: ReactNode;
  children: ReactNode;
}

/** The frame of a row of the screen: what chooses it, what it is, and what can be done. */
export function Line({ entry, icon, alive, chooseLabel, selected, onSelect, actions, children }: LineProps) {
  return (
    <li data-id={entry} className="flex items-start gap-3 border-b border-line py-3 sm:px-2">
      <Checkbox
        aria-label={chooseLabel}
        isDisabled={!alive}
        isSelected={selected}
        onChange={onSelect}
        className={`pt-0.5 pointer-coarse:p-2 ${alive ? '' : 'invisible'}`}
      />
      <span className="mt-0.5 shrink-0 text-muted max-sm:hidden">{icon}</span>
      <div className="min-w-0 flex-1">{children}</div>
      {actions && <div className="flex shrink-0 gap-1">{actions}</div>}
    </li>
  );
}
