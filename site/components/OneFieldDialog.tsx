import type { ReactNode } from 'react';
import { useForm } from '../lib/useForm.ts';
import type { FormDialogProps } from './FormDialog.tsx';
import { FormDialog } from './FormDialog.tsx';
import { PasswordField } from './PasswordField.tsx';
import type { TextFieldProps } from './TextField.tsx';
import { TextField } from './TextField.tsx';

export interface OneFieldDialogProps extends Omit<FormDialogProps, 'form' | 'onSubmit' | 'children'> {
  /** `name` is the field's name on the server: the server's error for that name is shown under the field. */
  field: Omit<TextFieldProps, 'value' | 'onChange' | 'error'> & { name: string };
  initial?: string;
  /** The error for an empty field; without it the field may be empty. */
  required?: string;
  /** Saves the value (trimmed, unless it is a password); the dialog closes when the promise resolves. */
  onSave: (entered: string) => Promise<unknown>;
  /** The error message when the server sends none. */
  failed: string;
  /** Whether errors that name no field are shown under this field instead of in the banner. */
  isCatchAll?: boolean;
  /** Rendered above the field. */
  children?: ReactNode;
  /** Rendered under the field. */
  below?: ReactNode;
}

/** A dialog with a single text or password field. */
export function OneFieldDialog(props: OneFieldDialogProps) {
  const { field, initial = '', required, onSave, failed, isCatchAll, children, below, ...dialog } = props;
  const { name } = field;
  const isPassword = field.type === 'password';
  const form = useForm<string>({ [name]: initial }, isCatchAll ? name : undefined);

  async function save() {
    const typed = form.readValues()[name] ?? '';
    const entered = isPassword ? typed : typed.trim();
    if (required && entered === '') return form.showErrors({ [name]: required });
    await onSave(entered);
    return dialog.onClose();
  }

  const bound = { autoComplete: 'off', autoFocus: true, ...field, ...form.field(name) };
  return (
    <FormDialog {...dialog} form={form} onSubmit={form.submit(save, failed)}>
      {children}
      {isPassword ? <PasswordField {...bound} /> : <TextField {...bound} />}
      {below}
    </FormDialog>
  );
}
