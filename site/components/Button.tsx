import type { ReactNode, Ref } from 'react';
import type { ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { ButtonSize, ButtonVariant } from './buttonClass.ts';
import { buttonClass } from './buttonClass.ts';
import { cx } from '../lib/cx.ts';
import { Spinner } from './Spinner.tsx';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'isPending'> {
  children: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Stays focusable, does nothing when pressed, shows a spinner. */
  busy?: boolean;
  /** The text while busy. Both texts share one grid cell, so the width does not change. */
  busyLabel?: string;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

const hiddenIf = (hidden: boolean) => cx('col-start-1 row-start-1', hidden && 'invisible');

export function Button({
  children,
  variant = 'secondary',
  size = 'md',
  icon,
  busy = false,
  busyLabel,
  className,
  ...props
}: ButtonProps) {
  return (
    <AriaButton {...props} isPending={busy} className={buttonClass(variant, size, className)}>
      <span className="inline-grid place-items-center">
        <span className={cx('inline-flex items-center gap-2', hiddenIf(busy))}>
          {icon}
          {children}
        </span>
        {(busy || busyLabel) && (
          <span className={cx('inline-flex items-center gap-2', hiddenIf(!busy))}>
            <Spinner />
            {busyLabel ?? <span className="sr-only">{children}</span>}
          </span>
        )}
      </span>
    </AriaButton>
  );
}
