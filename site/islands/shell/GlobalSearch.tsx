import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Search } from 'lucide-react';
import {
  Collection,
  ComboBox,
  Input,
  ListBox,
  ListBoxSection,
  Popover,
} from 'react-aria-components/ComboBox';
import { Header } from 'react-aria-components/Header';
import { inputBox } from '../../components/field.tsx';
import { open } from '../../lib/navigation.ts';
import { MIN_LETTERS, resultsPage } from '../../lib/search.ts';
import type { Group } from './lines.ts';
import { groupsOf } from './lines.ts';
import { Row, Status } from './SearchRow.tsx';
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

export function GlobalSearch() {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const found = useSearch(text);
  const query = text.trim();
  const asked = query.length >= MIN_LETTERS;
  const groups = asked ? groupsOf(found, query) : [];

  useShortcut(() => {
    input.current?.focus();
    input.current?.select();
  });

  function choose(id: unknown) {
    const line = groups.flatMap(({ lines }) => lines).find((one) => one.id === id);
    if (line) leaveFor(line.href);
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
      aria-label="Search files, folders and clients"
      items={groups}
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
        placeholder="Search files and clients"
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
        <ListBox<Group>
          className="outline-none"
          renderEmptyState={() => <Status found={found} query={query} />}
          dependencies={[query]}
        >
          {({ id, name, lines }) => (
            <ListBoxSection id={id} aria-label={name}>
              {groups.length > 1 && (
                <Header className="px-2 pt-1.5 pb-0.5 text-xs font-medium text-muted">{name}</Header>
              )}
              <Collection items={lines} dependencies={[query]}>
                {(line) => <Row line={line} query={query} />}
              </Collection>
            </ListBoxSection>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
