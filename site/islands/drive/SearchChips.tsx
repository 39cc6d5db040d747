import { ListFilter, Search, X } from 'lucide-react';
import { readSearch } from '#server/text/search-filters.ts';
import * as t from '#messages/drive.ts';
import * as shell from '#messages/shell.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { filterLabel } from '../../lib/filterLabel.ts';
import { useDriveContext } from './DriveContext.ts';

const CHIP =
  'flex h-7 min-w-0 items-center gap-1.5 rounded-full border border-accent-line bg-accent-soft pr-0.5 pl-3 text-sm font-medium text-accent-text';

/** The current search as chips: the words, and each filter, which can be removed one by one. */
export function SearchChips() {
  const { place, go } = useDriveContext();
  const { text, filters } = readSearch(place.search);
  const search = (next: string) =>
    go({ folderId: place.folderId, client: place.client, ...(next && { search: next }) });
  const without = ({ start, end }: { start: number; end: number }) =>
    `${place.search.slice(0, start)}${place.search.slice(end)}`.replace(/\s+/g, ' ').trim();
  return (
    <>
      {text !== '' && (
        <span className={CHIP}>
          <Search aria-hidden size={14} className="shrink-0" />
          <span className="truncate">
            <span className="sm:hidden">“{text}”</span>
            <span className="max-sm:sr-only">{t.resultsFor(text)}</span>
          </span>
          <IconButton
            label={t.leaveSearch}
            size="sm"
            className="rounded-full text-accent-text!"
            onPress={() => search('')}
          >
            <X aria-hidden size={14} />
          </IconButton>
        </span>
      )}
      {filters
        .filter(({ value }) => value !== '')
        .map((filter) => (
          <span key={filter.start} className={CHIP}>
            <ListFilter aria-hidden size={14} className="shrink-0 max-sm:hidden" />
            <span className="truncate">{`${shell.filters[filter.key]}: ${filterLabel(filter)}`}</span>
            <IconButton
              label={shell.removeFilter(shell.filters[filter.key], filterLabel(filter))}
              size="sm"
              className="rounded-full text-accent-text!"
              onPress={() => search(without(filter))}
            >
              <X aria-hidden size={14} />
            </IconButton>
          </span>
        ))}
    </>
  );
}
