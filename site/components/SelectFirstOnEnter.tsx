import { useContext, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { ComboBoxStateContext } from 'react-aria-components/ComboBox';

/**
 * Wraps the input of a ComboBox: Enter selects the first option. When the search is still pending, the selection waits for
 * its result, since a fast typist presses Enter before the response arrives.
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
  const state = useContext(ComboBoxStateContext)!;
  const pendingText = useRef('');
  const selectFirst = () => {
    if (first === undefined) return;
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
    if (pendingText.current !== '') selectFirst();
  });
  return (
    <div
      role="presentation"
      className="relative"
      onBlurCapture={() => void (pendingText.current = '')}
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
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
