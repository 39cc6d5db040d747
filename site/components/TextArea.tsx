import type { ReactNode } from 'react';
import type { TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { cx } from '../lib/cx.ts';
import { FieldLabel, FieldNote, inputBox, lengthLimit } from './field.tsx';

export interface TextAreaProps extends Omit<AriaTextFieldProps, 'className' | 'children' | 'isInvalid'> {
  label: string;
  description?: ReactNode;
  error?: string | undefined;
  rows?: number;
  className?: string;
}

/** A multi-line text field; Enter inserts a line break. */
export function TextArea({
  label,
  description,
  error: givenError,
  rows = 3,
  className,
  maxLength,
  ...props
}: TextAreaProps) {
  const limit = lengthLimit(props.value, maxLength);
  const error = givenError ?? limit.error;
  return (
    <AriaTextField
      {...props}
      {...limit.native}
      validationBehavior="aria"
      isInvalid={Boolean(error)}
      className={cx('flex flex-col gap-1.5', className)}
    >
      <FieldLabel>{label}</FieldLabel>
      <AriaTextArea rows={rows} className={inputBox('md', 'h-auto! resize-y py-1.5')} />
      <FieldNote error={error} description={description} />
    </AriaTextField>
  );
}
