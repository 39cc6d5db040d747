import type { ReactNode, Ref } from 'react';
import type { ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { ButtonVariant } from './buttonClass.ts';
import { cx } from '../lib/cx.ts';
import { Tooltip } from './Tooltip.tsx';

export interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'aria-label'> {
  /** The accessible name and the tooltip. */
  label: string;
  children: ReactNode;
  /** Shown after the label in the tooltip, e.g. `Alt+N`. */
  shortcut?: string;
  variant?: Extract<ButtonVariant, 'quiet' | 'secondary' | 'danger-quiet'>;
  size?: 'sm' | 'md';
  /** Drawn as switched on, for toggles; set `aria-pressed` too. */
  active?: boolean;
  /** Shows no tooltip now, which would cover what the user wants to see. */
  noTip?: boolean;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

const LOOKS = {
  quiet: 'text-muted hover:bg-hover hover:text-text data-[pressed]:bg-pressed aria-expanded:bg-pressed',
  secondary: 'border border-line bg-surface text-text hover:bg-hover data-[pressed]:bg-pressed',
  'danger-quiet': 'text-muted hover:bg-danger-soft hover:text-danger-text data-[pressed]:bg-danger-soft',
};

export function IconButton({
  label,
  children,
  shortcut,
  variant = 'quiet',
  size = 'md',
  active = false,
  noTip = false,
  className,
  ...props
}: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut} isDisabled={noTip}>
      <AriaButton
        {...props}
        aria-label={label}
        className={cx(
          'inline-flex shrink-0 items-center justify-center rounded-sm transition-colors duration-100',
          'pointer-coarse:size-11 data-[disabled]:text-disabled data-[disabled]:pointer-events-none',
          size === 'sm' ? 'size-7' : 'size-8',
          active ? 'bg-accent-soft text-accent-text' : LOOKS[variant],
          className,
        )}
      >
        {children}
      </AriaButton>
    </Tooltip>
  );
}
