import type { ReactNode, Ref } from 'react';
import type { TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { Input } from 'react-aria-components/Input';
import { cx } from '../lib/cx.ts';
import { FieldLabel, FieldNote, inputBox } from './field.tsx';
import { useTypedBeforeHydration } from './useTypedBeforeHydration.ts';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children' | 'isInvalid'> {
  label: string;
  /** Keeps the label for readers only. */
  hideLabel?: boolean;
  description?: ReactNode;
  /** Stands under the field and is read with it. */
  error?: string | undefined;
  placeholder?: string;
  size?: 'md' | 'lg';
  /** Drawn inside the box, at its end. */
  suffix?: ReactNode;
  className?: string;
  inputClassName?: string;
  inputRef?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  hideLabel = false,
  description,
  error,
  placeholder,
  size = 'md',
  suffix,
  className,
  inputClassName,
  inputRef,
  ...props
}: TextFieldProps) {
  return (
    // Errors are ours and the server's; the browser's own bubbles would say the same a second time.
    <AriaTextField
      {...props}
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
