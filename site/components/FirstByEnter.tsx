import { useContext, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { ComboBoxStateContext } from 'react-aria-components/ComboBox';

/** Enter takes the first of what was found, and waits for it: whoever types fast is done before the answer comes. */
export function FirstByEnter<One>({
  asked,
  first,
  onTake,
  children,
}: {
  asked: string;
  /** Undefined while it is looked for, null if there is none. */
  first: One | null | undefined;
  onTake: (one: One) => void;
  children: ReactNode;
}) {
  const state = useContext(ComboBoxStateContext)!;
  const wanted = useRef('');
  const take = () => {
    if (first === undefined) return;
    const one = wanted.current === asked ? first : null;
    wanted.current = '';
    if (!one) return;
    onTake(one);
    state.close();
  };
  useEffect(() => {
    if (wanted.current !== '') take();
  });
  return (
    <div
      role="presentation"
      className="relative"
      onBlurCapture={() => void (wanted.current = '')}
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        if (asked === '' || !state.isOpen || state.selectionManager.focusedKey !== null) return;
        event.preventDefault();
        event.stopPropagation();
        wanted.current = asked;
        take();
      }}
    >
      {children}
    </div>
  );
}
