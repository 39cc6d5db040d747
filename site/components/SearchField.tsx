import type { Ref } from 'react';
import type { SearchFieldProps as AriaSearchFieldProps } from 'react-aria-components/SearchField';
import { Button, Input, SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { Search, X } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import { FieldLabel, inputBox } from './field.tsx';
import { useTypedBeforeHydration } from './useTypedBeforeHydration.ts';

export interface SearchFieldProps extends Omit<AriaSearchFieldProps, 'className' | 'children'> {
  /** The accessible name; it is not visible. */
  label: string;
  placeholder?: string;
  className?: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** A search field; Esc clears it. */
export function SearchField({ label, placeholder, className, inputRef, ...props }: SearchFieldProps) {
  return (
    <AriaSearchField
      {...props}
      ref={useTypedBeforeHydration(props)}
      className={cx('group relative flex items-center', className)}
    >
      <FieldLabel hidden>{label}</FieldLabel>
      <Search
        aria-hidden
        size={16}
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto text-muted"
      />
      <Input
        ref={inputRef ?? null}
        {...(placeholder !== undefined && { placeholder })}
        className={inputBox('md', 'pl-8 pr-8 group-data-[empty]:pr-2')}
      />
      <Button className="absolute inset-y-0 right-1 my-auto flex size-6 items-center justify-center rounded-xs text-muted group-data-[empty]:hidden hover:bg-hover hover:text-text">
        <X aria-hidden size={14} />
      </Button>
    </AriaSearchField>
  );
}
