import type { ReactElement, ReactNode } from 'react';
import { useContext, useEffect } from 'react';
import { flushSync } from 'react-dom';
import {
  Tooltip as AriaTooltip,
  TooltipTrigger,
  TooltipTriggerStateContext,
} from 'react-aria-components/Tooltip';

interface TooltipProps {
  /** A single focusable control. */
  children: ReactElement;
  text: ReactNode;
  /** Shown after the text, e.g. `Alt+N`. */
  shortcut?: string | undefined;
  isDisabled?: boolean;
}

/** A short text on hover and keyboard focus. Not for information that is shown nowhere else. */
export function Tooltip({ children, text, shortcut, isDisabled = false }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0} isDisabled={isDisabled}>
      {children}
      <ClosingOnEscape />
      <AriaTooltip
        placement="bottom"
        offset={6}
        className="max-w-72 rounded-sm bg-text px-2 py-1 text-xs text-surface data-[entering]:animate-appear"
      >
        {text}
        {shortcut && <kbd className="ml-2 font-sans opacity-70 pointer-coarse:hidden">{shortcut}</kbd>}
      </AriaTooltip>
    </TooltipTrigger>
  );
}

/**
 * The library stops Escape at the document while a tooltip is open, so that a dialog behind it would need a second one.
 * Closed at the window, which gets the key first, the tooltip is no longer there to stop it.
 */
function ClosingOnEscape() {
  const { isOpen, close } = useContext(TooltipTriggerStateContext)!;
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') flushSync(() => close(true));
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [isOpen, close]);
  return null;
}
