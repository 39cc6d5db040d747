import type { ReactNode, Ref } from 'react';
import type { TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { Input } from 'react-aria-components/Input';
import { cx } from '../lib/cx.ts';
import { FieldLabel, FieldNote, inputBox, lengthLimit } from './field.tsx';
import { useTypedBeforeHydration } from './useTypedBeforeHydration.ts';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children' | 'isInvalid'> {
  label: string;
  /** Whether only screen readers get the label. */
  hideLabel?: boolean;
  description?: ReactNode;
  /** Shown under the field and announced with it. */
  error?: string | undefined;
  placeholder?: string;
  size?: 'md' | 'lg';
  /** Rendered inside the box, at its end. */
  suffix?: ReactNode;
  className?: string;
  inputClassName?: string;
  inputRef?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  hideLabel = false,
  description,
  error: givenError,
  placeholder,
  size = 'md',
  suffix,
  className,
  inputClassName,
  inputRef,
  maxLength,
  ...props
}: TextFieldProps) {
  const limit = lengthLimit(props.value, maxLength);
  const error = givenError ?? limit.error;
  return (
    // The form shows its own and the server's errors: the browser's validation bubbles would repeat them.
    <AriaTextField
      {...props}
      {...limit.native}
      ref={useTypedBeforeHydration(props)}
      validationBehavior="aria"
      isInvalid={Boolean(error)}
      className={cx('flex flex-col gap-1.5', className)}
    >
      <FieldLabel hidden={hideLabel}>{label}</FieldLabel>
      <div className="relative">
        <Input
          ref={inputRef ?? null}
          {...(placeholder !== undefined && { placeholder })}
          className={inputBox(size, cx(suffix ? 'pr-10' : undefined, inputClassName))}
        />
        {suffix && <div className="absolute inset-y-0 right-1 flex items-center">{suffix}</div>}
      </div>
      <FieldNote error={error} description={description} />
    </AriaTextField>
  );
}
