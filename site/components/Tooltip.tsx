import type { ReactElement, ReactNode } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';

interface TooltipProps {
  /** A single focusable control. */
  children: ReactElement;
  text: ReactNode;
}

/** A short text on hover and keyboard focus. Not for information that is shown nowhere else. */
export function Tooltip({ children, text }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <AriaTooltip
        placement="bottom"
        offset={6}
        className="max-w-72 rounded-sm bg-text px-2 py-1 text-xs text-surface data-[entering]:animate-appear"
      >
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
