import type { ReactNode } from 'react';
import type { CheckboxButtonProps, CheckboxFieldProps } from 'react-aria-components/Checkbox';
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox';
import { Check, Minus } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import { FieldNote } from './field.tsx';

export interface CheckboxProps extends Omit<CheckboxFieldProps, 'className' | 'children' | 'isInvalid'> {
  /** The label; required unless `aria-label` is set. */
  children?: ReactNode;
  description?: ReactNode;
  error?: string | undefined;
  className?: string;
}

const box = (on: boolean, invalid: boolean) =>
  cx(
    'mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-xs border transition-colors duration-100',
    on ? 'border-accent bg-accent text-on-accent' : 'border-line-strong bg-surface text-transparent',
    invalid && 'border-danger',
    'group-data-[disabled]:border-disabled group-data-[focus-visible]:outline-2 group-data-[focus-visible]:outline-offset-2 group-data-[focus-visible]:outline-ring',
  );

export function Checkbox({ children, description, error, className, ...props }: CheckboxProps) {
  const button: CheckboxButtonProps['children'] = ({ isSelected, isIndeterminate, isInvalid }) => (
    <>
      <span aria-hidden="true" className={box(isSelected || isIndeterminate, isInvalid)}>
        {isIndeterminate ? <Minus size={12} strokeWidth={3} /> : <Check size={12} strokeWidth={3} />}
      </span>
      {children && <span className="text-base">{children}</span>}
    </>
  );
  return (
    <CheckboxField
      {...props}
      validationBehavior="aria"
      isInvalid={Boolean(error)}
      className={cx('flex flex-col gap-1.5', className)}
    >
      <CheckboxButton className="group relative flex items-start gap-2.5 outline-none data-[disabled]:text-disabled">
        {button}
      </CheckboxButton>
      <FieldNote error={error} description={description} />
    </CheckboxField>
  );
}
