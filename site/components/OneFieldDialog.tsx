import type { ReactNode } from 'react';
import { useForm } from '../lib/useForm.ts';
import type { FormDialogProps } from './FormDialog.tsx';
import { FormDialog } from './FormDialog.tsx';
import { PasswordField } from './PasswordField.tsx';
import type { TextFieldProps } from './TextField.tsx';
import { TextField } from './TextField.tsx';

export interface OneFieldDialogProps extends Omit<FormDialogProps, 'form' | 'onSubmit' | 'children'> {
  /** `name` is what the server calls it: what it says of that stands under the field. */
  field: Omit<TextFieldProps, 'value' | 'onChange' | 'error'> & { name: string };
  initial?: string;
  /** Said under the field when it is empty; without this it may be. */
  required?: string;
  /** Takes what was entered, without the space around it unless it is a password. Then the dialog closes. */
  onSave: (entered: string) => Promise<unknown>;
  /** Said of a fault for which the server has no words. */
  failed: string;
  /** Faults that are about no field stand under this one, too, and not in the banner. */
  isCatchAll?: boolean;
  /** Stands above the field. */
  children?: ReactNode;
  below?: ReactNode;
}

/** A dialog that asks for one thing. */
export function OneFieldDialog(props: OneFieldDialogProps) {
  const { field, initial = '', required, onSave, failed, isCatchAll, children, below, ...dialog } = props;
  const { name } = field;
  const isPassword = field.type === 'password';
  const form = useForm<string>({ [name]: initial }, isCatchAll ? name : undefined);

  async function save() {
    const typed = form.typed()[name] ?? '';
    const entered = isPassword ? typed : typed.trim();
    if (required && entered === '') return form.show({ [name]: required });
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
