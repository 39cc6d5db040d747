import { cx } from '../lib/cx.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet';
export type ButtonSize = 'sm' | 'md' | 'lg';

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none no-underline ' +
  'transition-colors duration-100 pointer-coarse:min-h-11 data-[disabled]:pointer-events-none';

const SIZES: Record<ButtonSize, string> = {
  sm: 'h-7 px-2.5 text-sm',
  md: 'h-8 px-3 text-base',
  lg: 'h-10 px-4 text-base',
};

const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'bg-accent text-on-accent hover:bg-accent-hover data-[pressed]:bg-accent-hover data-[disabled]:bg-pressed data-[disabled]:text-disabled',
  secondary:
    'border border-line bg-surface text-text hover:bg-hover data-[pressed]:bg-pressed data-[disabled]:text-disabled ' +
    'shadow-[0_1px_1px_rgb(0_0_0/0.03)]',
  quiet: 'text-text hover:bg-hover data-[pressed]:bg-pressed data-[disabled]:text-disabled',
  danger:
    'bg-danger text-on-danger hover:bg-danger-hover data-[pressed]:bg-danger-hover data-[disabled]:bg-pressed data-[disabled]:text-disabled',
  'danger-quiet':
    'text-danger-text hover:bg-danger-soft data-[pressed]:bg-danger-soft data-[disabled]:text-disabled',
};

/** The classes of a button, for Button and for links that look like one. */
export const buttonClass = (
  variant: ButtonVariant = 'secondary',
  size: ButtonSize = 'md',
  extra?: string,
): string => cx(BASE, SIZES[size], VARIANTS[variant], extra);
