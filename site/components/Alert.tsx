import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { CircleAlert, CircleCheck, Info, RotateCw, TriangleAlert, X } from 'lucide-react';
import * as common from '#messages/common.ts';
import { cx } from '../lib/cx.ts';
import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';

export interface AlertProps {
  tone?: 'danger' | 'warning' | 'success' | 'info';
  title?: string;
  children: ReactNode;
  /** Shows a Retry button. */
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
  /** Shows a close button. */
  onDismiss?: (() => void) | undefined;
  className?: string;
}

const TONES = {
  danger: ['border-danger-line bg-danger-soft', 'text-danger-text', CircleAlert],
  warning: ['border-warning-line bg-warning-soft', 'text-warning-text', TriangleAlert],
  success: ['border-success-line bg-success-soft', 'text-success-text', CircleCheck],
  info: ['border-accent-line bg-accent-soft', 'text-accent-text', Info],
} as const;

/** A banner in the page. Screen readers announce danger and warning assertively, success and info politely. */
export function Alert({
  tone = 'danger',
  title,
  children,
  onRetry,
  retrying = false,
  onDismiss,
  className,
}: AlertProps) {
  const [box, ink, Icon] = TONES[tone];
  const alert = useRef<HTMLDivElement>(null);
  const said = useRef('');
  // In a long dialog, the button that was pressed may be far below the alert.
  useEffect(() => {
    const text = alert.current?.textContent ?? '';
    if (text === said.current) return;
    said.current = text;
    if (alert.current?.closest('[role=dialog]')) alert.current.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div
      ref={alert}
      role={tone === 'danger' || tone === 'warning' ? 'alert' : 'status'}
      className={cx('flex items-start gap-2.5 rounded-md border px-3 py-2.5', box, className)}
    >
      <Icon aria-hidden size={16} className={cx('mt-0.5 shrink-0', ink)} />
      <div className="min-w-0 flex-1 text-base text-pretty">
        {title && <p className={cx('font-semibold', ink)}>{title}</p>}
        <div className={title ? 'text-text' : ink}>{children}</div>
      </div>
      {onRetry && (
        <Button
          size="sm"
          onPress={onRetry}
          busy={retrying}
          icon={<RotateCw aria-hidden size={14} />}
          className="-my-1"
        >
          {common.retry}
        </Button>
      )}
      {onDismiss && (
        <IconButton label={common.dismiss} size="sm" onPress={onDismiss} className="-my-1 -mr-1.5">
          <X aria-hidden size={16} />
        </IconButton>
      )}
    </div>
  );
}
