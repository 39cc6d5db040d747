import { ProgressBar as AriaProgressBar } from 'react-aria-components/ProgressBar';
import { cx } from '../lib/cx.ts';

export interface ProgressBarProps {
  /** 0 to 100; null for an indeterminate bar. */
  value: number | null;
  /** The accessible name. */
  label: string;
  /** Announced instead of the percentage. */
  valueLabel?: string;
  tone?: 'accent' | 'success' | 'warning' | 'danger';
  size?: 'sm' | 'md';
  className?: string;
}

const TONES = { accent: 'bg-accent', success: 'bg-success', warning: 'bg-warning', danger: 'bg-danger' };

export function ProgressBar({
  value,
  label,
  valueLabel,
  tone = 'accent',
  size = 'sm',
  className,
}: ProgressBarProps) {
  return (
    <AriaProgressBar
      aria-label={label}
      value={value ?? 0}
      isIndeterminate={value === null}
      {...(valueLabel !== undefined && { valueLabel })}
      className={cx(
        'block overflow-hidden rounded-full bg-pressed',
        size === 'sm' ? 'h-1' : 'h-2',
        className,
      )}
    >
      {({ percentage, isIndeterminate }) =>
        isIndeterminate ? (
          <div className={cx('h-full w-1/3 animate-slide rounded-full', TONES[tone])} />
        ) : (
          <div
            className={cx('h-full rounded-full transition-transform duration-200', TONES[tone])}
            style={{ transform: `translateX(${(percentage ?? 0) - 100}%)` }}
          />
        )
      }
    </AriaProgressBar>
  );
}
