import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';

export type BadgeTone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

const TONES: Record<BadgeTone, string> = {
  neutral: 'border-line bg-sunken text-muted',
  accent: 'border-accent-line bg-accent-soft text-accent-text',
  success: 'border-success-line bg-success-soft text-success-text',
  warning: 'border-warning-line bg-warning-soft text-warning-text',
  danger: 'border-danger-line bg-danger-soft text-danger-text',
};

export const badgeClass = (tone: BadgeTone = 'neutral', extra?: string): string =>
  cx(
    'inline-flex h-5 items-center gap-1 rounded-xs border px-1.5 text-xs font-medium whitespace-nowrap',
    TONES[tone],
    extra,
  );

export interface BadgeProps {
  tone?: BadgeTone;
  children: ReactNode;
  className?: string;
}

export const Badge = ({ tone, children, className }: BadgeProps) => (
  <span className={badgeClass(tone, className)}>{children}</span>
);
