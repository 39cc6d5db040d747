import type { ReactNode } from 'react';
import { CircleAlert } from 'lucide-react';
import { FieldError as AriaFieldError } from 'react-aria-components/FieldError';
import { Label as AriaLabel } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import * as common from '#messages/common.ts';
import { cx } from '../lib/cx.ts';

/** The classes of an input's box; shared by all text controls, so that they align. */
export const inputBox = (size: 'md' | 'lg' = 'md', extra?: string): string =>
  cx(
    'w-full rounded-md border border-line-strong bg-surface text-text transition-colors duration-100',
    'hover:border-muted data-[hovered]:border-muted focus:border-accent data-[focused]:border-accent',
    'data-[invalid]:border-danger data-[disabled]:bg-sunken data-[disabled]:text-disabled',
    'outline-offset-0 pointer-coarse:min-h-11 pointer-coarse:text-lg',
    size === 'lg' ? 'h-10 px-3 text-base' : 'h-8 px-2.5 text-base',
    extra,
  );

export function FieldLabel({ children, hidden = false }: { children: ReactNode; hidden?: boolean }) {
  return <AriaLabel className={hidden ? 'sr-only' : 'text-sm font-medium text-text'}>{children}</AriaLabel>;
}

/**
 * The limit of a field's length, as an error: a browser would cut a longer text silently. A field that keeps its own text
 * still leaves it to the browser.
 */
export function lengthLimit(
  value: string | undefined,
  maxLength: number | undefined,
): { error?: string; native: { maxLength?: number } } {
  if (maxLength === undefined) return { native: {} };
  if (value === undefined) return { native: { maxLength } };
  return { native: {}, ...(value.length > maxLength && { error: common.tooLong(maxLength) }) };
}

/** The line under a field: its error if it has one, otherwise its description. */
export function FieldNote({ error, description }: { error?: string | undefined; description?: ReactNode }) {
  return (
    <>
      {description && !error && (
        <Text slot="description" className="text-xs text-muted">
          {description}
        </Text>
      )}
      <AriaFieldError className="flex items-start gap-1.5 text-xs font-medium text-danger-text">
        <CircleAlert aria-hidden size={14} className="mt-px shrink-0" />
        {error}
      </AriaFieldError>
    </>
  );
}
