import { useContext, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { ComboBoxStateContext } from 'react-aria-components/ComboBox';

/**
 * Wraps the input of a ComboBox: the first option of a search is highlighted, and Enter selects it. When the search is still
 * pending, the selection waits for its result, since a fast typist presses Enter before the response arrives.
 */
export function SelectFirstOnEnter({
  search,
  first,
  children,
}: {
  search: string;
  /** The first option: undefined while the search is pending, null if nothing matches. */
  first: { id: string } | null | undefined;
  children: ReactNode;
}) {
  /** Null while the list collects its options, for which it renders the field as well. */
  const state = useContext(ComboBoxStateContext);
  const pendingText = useRef('');
  /** The option that was highlighted without an arrow key. */
  const highlighted = useRef<string | null>(null);
  const selectFirst = () => {
    if (!state || first === undefined) return;
    const option = pendingText.current === search ? first : null;
    // The list takes up a result one render later; until then it would choose nothing, and clear the field.
    if (option && !state.collection.getItem(option.id)) return;
    pendingText.current = '';
    if (!option) return;
    // As the arrow key and Enter do: closed by itself, the list would open again with the name that fills the field.
    state.selectionManager.setFocusedKey(option.id);
    state.commit();
  };
  useEffect(() => {
    if (pendingText.current !== '') return selectFirst();
    if (search === '' || !first || !state?.isOpen || state.selectionManager.focusedKey !== null) return;
    if (!state.collection.getItem(first.id)) return;
    highlighted.current = first.id;
    state.selectionManager.setFocusedKey(first.id);
  });
  return (
    <div
      role="presentation"
      className="relative"
      onBlurCapture={() => void (pendingText.current = '')}
      onKeyDownCapture={(event) => {
        if (!state || event.nativeEvent.isComposing) return;
        // Tab would select it: who leaves the field has not chosen what only stands first.
        if (event.key === 'Tab' && state.selectionManager.focusedKey === highlighted.current)
          state.selectionManager.setFocusedKey(null);
        if (event.key.startsWith('Arrow')) highlighted.current = null;
        if (event.key !== 'Enter') return;
        if (search === '' || !state.isOpen || state.selectionManager.focusedKey !== null) return;
        event.preventDefault();
        event.stopPropagation();
        pendingText.current = search;
        selectFirst();
      }}
    >
      {children}
    </div>
  );
}
