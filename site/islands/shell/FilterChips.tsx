import { X } from 'lucide-react';
import type { TypedFilter } from '#server/text/search-filters.ts';
import { FILTER_KEYS } from '#server/text/search-filters.ts';
import * as t from '#messages/shell.ts';
import { filterLabel } from '../../lib/filterLabel.ts';

interface FilterChipsProps {
  chips: readonly TypedFilter[];
  onRemove: (chip: TypedFilter) => void;
  /** Inserts the key of a filter into the search field. */
  onAdd: (key: string) => void;
  /** Searches in the open folder; absent when no folder is open. */
  onFolder?: (() => void) | undefined;
}

const CHIP =
  'flex h-6 max-w-56 items-center gap-1 rounded-full border px-2 text-xs hover:bg-hover pointer-coarse:h-9 pointer-coarse:px-3';

/** The filters of the search, removable, and those that can be added. */
export function FilterChips({ chips, onRemove, onAdd, onFolder }: FilterChipsProps) {
  return (
    <div role="group" aria-label={t.narrowBy} className="flex flex-wrap gap-1.5 px-2 py-1.5">
      {chips.map((chip) => (
        <button
          key={chip.start}
          type="button"
          aria-label={t.removeFilter(t.filters[chip.key], filterLabel(chip))}
          onClick={() => onRemove(chip)}
          className={`${CHIP} border-accent-line bg-accent-soft font-medium text-accent-text`}
        >
          <span className="min-w-0 truncate">{`${t.filters[chip.key]}: ${filterLabel(chip)}`}</span>
          <X aria-hidden size={12} className="shrink-0" />
        </button>
      ))}
      {FILTER_KEYS.filter((key) => !chips.some((chip) => chip.key === key)).map((key) => (
        <button
          key={key}
          type="button"
          aria-label={t.addFilter(t.filters[key])}
          onClick={() => onAdd(key)}
          className={`${CHIP} border-line text-muted`}
        >
          {t.filters[key]}
        </button>
      ))}
      {onFolder && (
        <button type="button" onClick={onFolder} className={`${CHIP} border-line text-muted`}>
          {t.inThisFolder}
        </button>
      )}
    </div>
  );
}
