import type { ReactElement, ReactNode } from 'react';
import type { TooltipProps as AriaTooltipProps } from 'react-aria-components/Tooltip';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';

export interface TooltipProps {
  /** One focusable control of ours. */
  children: ReactElement;
  text: ReactNode;
  placement?: AriaTooltipProps['placement'];
}

/** A short text at a control on hover and on keyboard focus. Never the only place where something is said. */
export function Tooltip({ children, text, placement = 'bottom' }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <AriaTooltip
        placement={placement}
        offset={6}
        className="max-w-72 rounded-sm bg-text px-2 py-1 text-xs text-surface data-[entering]:animate-appear"
      >
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
