import type { FocusEvent, KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Search } from 'lucide-react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Header } from 'react-aria-components/Header';
import { Collection, ListBox, ListBoxSection } from 'react-aria-components/ListBox';
import { Input, SearchField } from 'react-aria-components/SearchField';
import * as t from '#messages/shell.ts';
import { inputBox } from '../../components/field.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { openPage as go } from '../../lib/navigation.ts';
import { isDialogOpen, isTypedInto } from '../../lib/overlay.ts';
import { MIN_LETTERS, resultsHref } from '../../lib/search.ts';
import { driveHref, parseDriveUrl } from '../../lib/driveLocation.ts';
import { FilterChips } from './FilterChips.tsx';
import type { Group } from './resultLines.ts';
import { countResults, groupsOf, statusText } from './resultLines.ts';
import { Row, Status } from './SearchRow.tsx';
import { useFilters } from './useFilters.ts';
import { useSearch } from './useSearch.ts';

/** Focuses the search with `/` or Ctrl+K, unless a field or a dialog has the focus. */
function useShortcut(focus: () => void) {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const ctrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      const slash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!ctrlK && !slash) return;
      if (isDialogOpen()) return;
      if (slash && isTypedInto(document.activeElement)) return;
      event.preventDefault();
      focus();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [focus]);
}

/**
 * The search in the top bar. The results are next to the field in the DOM, not in a portal: screen readers move from one to
 * the other, and the rest of the page need not be hidden.
 */
export function GlobalSearch() {
  const [text, setText] = useState('');
  const [hasFocus, setHasFocus] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const search = useSearch(text);
  const query = text.trim();
  const isLongEnough = query.length >= MIN_LETTERS;
  const open = hasFocus && isLongEnough;
  const { chips, without, completing } = useFilters(text);
  const groups = [...(completing ? [completing] : []), ...(isLongEnough ? groupsOf(search, query) : [])];
  const lines = groups.flatMap((group) => group.lines);

  useShortcut(() => {
    input.current?.focus();
    input.current?.select();
  });

  function choose(id: unknown) {
    const line = lines.find((candidate) => candidate.id === id);
    if (line?.kind === 'filter') replaceText(line.text);
    else if (line) openResult(line.href);
  }
  /** Sets the text synchronously, since the next key may be pressed before the next frame. */
  function replaceText(next: string) {
    flushSync(() => setText(next));
    input.current?.focus();
    input.current?.setSelectionRange(next.length, next.length);
  }
  const folderId = open ? (parseDriveUrl(new URL(location.href))?.folderId ?? null) : null;
  function openResult(address: string) {
    setText('');
    // React Aria returns the focus to the field while a line is pressed: blur it afterwards.
    requestAnimationFrame(() => {
      input.current?.blur();
      // The place of the results: a list takes the focus from there, and without one it is not lost.
      document.querySelector<HTMLElement>('#list')?.focus({ preventScroll: true });
    });
    go(address);
  }
  /** React Aria dispatches synthetic blur events while the arrow keys move through the lines: ignore those. */
  function onBlur({ nativeEvent, currentTarget, relatedTarget }: FocusEvent) {
    if (nativeEvent.isTrusted && !currentTarget.contains(relatedTarget)) setHasFocus(false);
  }
  /** Enter without a focused line opens the page with all results. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !isLongEnough) return;
    // The last focused line may no longer exist.
    const line = input.current?.getAttribute('aria-activedescendant');
    if (line && document.getElementById(line)) return;
    openResult(resultsHref(query));
  }

  return (
    <Autocomplete inputValue={text} onInputChange={setText} disableAutoFocusFirst>
      <SearchField aria-label={t.searchLabel} onKeyDown={onKeyDown} className="min-w-0 flex-1 md:max-w-xl">
        <div className="group relative" onFocus={() => setHasFocus(true)} onBlur={onBlur}>
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-2.5 z-10 flex items-center text-muted"
          >
            {open && search.status === 'searching' ? <Spinner /> : <Search size={16} />}
          </span>
          <Input
            ref={input}
            // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- the list gives it `aria-controls`
            role="combobox"
            aria-expanded={open}
            placeholder={t.searchPlaceholder}
            enterKeyHint="search"
            className={inputBox('md', 'global-search pl-8 md:pr-14')}
          />
          <kbd
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-2 my-auto hidden h-5 items-center rounded-xs border border-line bg-sunken px-1.5 font-sans text-xs text-muted group-focus-within:hidden md:flex pointer-coarse:hidden"
          >
            {t.searchKey}
          </kbd>
          {open && (
            // The keyboard stays in the field.
            // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
            <div className="found" onMouseDown={(event) => event.preventDefault()}>
              <FilterChips
                chips={chips}
                onRemove={(chip) => replaceText(without(chip))}
                onAdd={(key) => replaceText(`${text.trimEnd()}${text.trim() === '' ? '' : ' '}${key}:`)}
                onFolder={
                  folderId === null ? undefined : () => openResult(driveHref({ folderId, search: query }))
                }
              />
              <ListBox<Group>
                aria-label={t.found}
                items={groups}
                onAction={choose}
                className="outline-none"
                renderEmptyState={() => <Status search={search} query={query} />}
                dependencies={[query]}
              >
                {({ id, name, lines: linesOfGroup }) => (
                  <ListBoxSection id={id} aria-label={name}>
                    {groups.length > 1 && (
                      <Header className="px-2 pt-1.5 pb-0.5 text-xs font-medium text-muted">{name}</Header>
                    )}
                    <Collection items={linesOfGroup} dependencies={[query]}>
                      {(line) => <Row line={line} query={query} />}
                    </Collection>
                  </ListBoxSection>
                )}
              </ListBox>
            </div>
          )}
          <p role="status" className="sr-only">
            {open &&
              (lines.length > 0 && search.status !== 'searching'
                ? t.results(countResults(lines))
                : statusText(search, query))}
          </p>
        </div>
      </SearchField>
    </Autocomplete>
  );
}
