import type { ReactNode } from 'react';
import type { Key, SelectProps as AriaSelectProps } from 'react-aria-components/Select';
import {
  Button as AriaButton,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components/Select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import { FieldLabel, FieldNote, inputBox } from './field.tsx';
import { menuPopover } from './Menu.tsx';

interface SelectOption {
  id: Key;
  label: string;
  icon?: ReactNode;
}

export interface SelectProps extends Omit<
  AriaSelectProps<SelectOption>,
  'className' | 'children' | 'isInvalid'
> {
  label: string;
  hideLabel?: boolean;
  options: readonly SelectOption[];
  description?: ReactNode;
  error?: string | undefined;
  size?: 'md' | 'lg';
  className?: string;
}

export function Select({
  label,
  hideLabel = false,
  options,
  description,
  error,
  size = 'md',
  className,
  ...props
}: SelectProps) {
  return (
    <AriaSelect
      {...props}
      validationBehavior="aria"
      isInvalid={Boolean(error)}
      // The frame of the focus is the button's.
      className={cx('flex flex-col gap-1.5 outline-none', className)}
    >
      <FieldLabel hidden={hideLabel}>{label}</FieldLabel>
      <AriaButton className={inputBox(size, 'flex items-center gap-2 text-left')}>
        <SelectValue className="min-w-0 flex-1 truncate data-[placeholder]:text-muted" />
        <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-muted" />
      </AriaButton>
      <FieldNote error={error} description={description} />
      <Popover offset={4} className={cx(menuPopover, 'min-w-[var(--trigger-width)]')}>
        <ListBox items={options} className="max-h-80 overflow-auto outline-none">
          {(option) => (
            <ListBoxItem
              id={option.id}
              textValue={option.label}
              className="flex h-8 cursor-default items-center gap-2.5 rounded-sm px-2 outline-none pointer-coarse:h-11 data-[focused]:bg-accent-soft data-[focused]:text-accent-text"
            >
              {({ isSelected }) => (
                <>
                  {option.icon}
                  <span className="min-w-0 flex-1 truncate">{option.label}</span>
                  {isSelected && <Check aria-hidden size={16} />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
