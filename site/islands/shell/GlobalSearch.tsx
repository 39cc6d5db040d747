import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Search } from 'lucide-react';
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox';
import type { ItemView } from '#server/documents/contract.ts';
import { inputBox } from '../../components/field.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { open } from '../../lib/navigation.ts';
import { MIN_LETTERS, SHOWN, pieces, placeOf, resultsPage } from '../../lib/search.ts';
import type { Found } from './useSearch.ts';
import { useSearch } from './useSearch.ts';

const isTyping = (element: Element | null) =>
  element instanceof HTMLElement &&
  (element.isContentEditable || /^(input|textarea|select)$/i.test(element.tagName));

/** `/` and Ctrl+K, unless a field or a dialog has the keyboard. */
function useShortcut(focus: () => void) {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const ctrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      const slash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!ctrlK && !slash) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      if (slash && isTyping(document.activeElement)) return;
      event.preventDefault();
      focus();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [focus]);
}

function Row({ item, query }: { item: ItemView; query: string }) {
  const place = ['My Drive', item.path].filter(Boolean).join(' / ');
  return (
    <ListBoxItem
      id={item.id}
      textValue={item.name}
      className="flex cursor-default items-center gap-3 rounded-sm px-2 py-1.5 outline-none data-[focused]:bg-accent-soft"
    >
      <FileGlyph fileType={item.file_type} size={20} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">
          {pieces(item.name, query).map((piece, i) =>
            piece.hit ? (
              <mark
                key={i}
                className="bg-transparent font-semibold text-accent-text underline underline-offset-2"
              >
                {piece.text}
              </mark>
            ) : (
              <span key={i}>{piece.text}</span>
            ),
          )}
        </span>
        <span className="block truncate text-xs text-muted">
          {place}
          {item.client_name && ` · ${item.client_name}`}
        </span>
      </span>
    </ListBoxItem>
  );
}

/** The line after the results; no item has this id. */
const ALL = 0;
type Line = ItemView | { id: typeof ALL; more: number };

const MoreRow = ({ more }: { more: number }) => (
  <ListBoxItem
    id={ALL}
    textValue={`And ${more} more results`}
    className="mt-1 cursor-default rounded-sm border-t border-line px-2 py-2 text-sm font-medium text-accent-text outline-none data-[focused]:bg-accent-soft"
  >
    And {more} more results...
  </ListBoxItem>
);

function Status({ found, query }: { found: Found; query: string }) {
  if (found.status === 'failed') return <p className="px-2 py-3 text-danger-text">{found.message}</p>;
  if (found.status === 'found')
    return <p className="px-2 py-3 text-muted">Nothing is named like “{query}”.</p>;
  return (
    <p className="flex items-center gap-2 px-2 py-3 text-muted">
      <Spinner /> Searching...
    </p>
  );
}

export function GlobalSearch() {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const found = useSearch(text);
  const query = text.trim();
  const asked = query.length >= MIN_LETTERS;
  const shown = asked ? found.items.slice(0, SHOWN) : [];
  const more = asked ? found.total - shown.length : 0;
  const lines: Line[] = more > 0 && shown.length > 0 ? [...shown, { id: ALL, more }] : shown;

  useShortcut(() => {
    input.current?.focus();
    input.current?.select();
  });

  function choose(id: unknown) {
    const item = found.items.find((one) => one.id === id);
    if (item) leaveFor(placeOf(item));
    else if (id === ALL) leaveFor(resultsPage(query));
  }
  function leaveFor(address: string) {
    setText('');
    input.current?.blur();
    open(address);
  }
  /** Enter on no line shows them all. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !asked || input.current?.getAttribute('aria-activedescendant')) return;
    leaveFor(resultsPage(query));
  }

  return (
    <ComboBox
      aria-label="Search files and folders"
      items={lines}
      inputValue={text}
      onInputChange={setText}
      value={null}
      onChange={choose}
      allowsCustomValue
      allowsEmptyCollection={asked}
      menuTrigger="input"
      onKeyDown={onKeyDown}
      className="group relative min-w-0 flex-1 md:max-w-xl"
    >
      <Search
        aria-hidden
        size={16}
        className="pointer-events-none absolute inset-y-0 left-2.5 z-10 my-auto text-muted"
      />
      <Input
        ref={input}
        type="search"
        placeholder="Search files and folders"
        enterKeyHint="search"
        className={inputBox('md', 'global-search pl-8 md:pr-14')}
      />
      <kbd
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2 my-auto hidden h-5 items-center rounded-xs border border-line bg-sunken px-1.5 font-sans text-xs text-muted group-focus-within:hidden md:flex pointer-coarse:hidden"
      >
        Ctrl K
      </kbd>
      <Popover
        offset={6}
        className="w-[max(var(--trigger-width),20rem)] max-w-[calc(100vw-2rem)] overflow-auto rounded-md bg-raised p-1 shadow-menu"
      >
        <ListBox<Line>
          className="outline-none"
          renderEmptyState={() => <Status found={found} query={query} />}
          dependencies={[query]}
        >
          {(line) => ('more' in line ? <MoreRow more={line.more} /> : <Row item={line} query={query} />)}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
