import { FolderTree, X } from 'lucide-react';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { formatCount } from '../../lib/format.ts';
import type { Selecting } from './useSelection.ts';

interface SelectionBarProps {
  selecting: Selecting;
  /** How many the filter shows; null while that is not known. */
  shown: number | null;
  onAll: () => void;
  onTemplate: () => void;
}

/** What can be done with the chosen clients. */
export function SelectionBar({
  selecting: { chosen, loading, end },
  shown,
  onAll,
  onTemplate,
}: SelectionBarProps) {
  const count = chosen?.size ?? 0;
  return (
    <div
      role="toolbar"
      aria-label="Selection"
      className="flex min-h-9 w-full flex-wrap items-center gap-1 rounded-md border border-accent-line bg-accent-soft px-1.5 py-0.5"
    >
      <IconButton label="Leave the selection" shortcut="Esc" size="sm" onPress={end}>
        <X aria-hidden size={16} />
      </IconButton>
      <span role="status" className="tabular font-medium whitespace-nowrap">
        {formatCount(count)} selected
      </span>
      <Button variant="quiet" size="sm" busy={loading} onPress={onAll}>
        Select all {shown === null ? 'shown by this filter' : formatCount(shown)}
      </Button>
      <Button
        size="sm"
        className="sm:ml-auto"
        icon={<FolderTree aria-hidden size={16} />}
        onPress={onTemplate}
        isDisabled={count === 0}
      >
        Apply folder template…
      </Button>
    </div>
  );
}
