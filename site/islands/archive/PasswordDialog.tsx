import * as t from '#messages/archive.ts';
import * as common from '#messages/common.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { useForm } from '../../lib/useForm.ts';
import { START_FAILED } from './extractions.ts';

export interface PasswordDialogProps {
  /** What a password opens. */
  name: string;
  /** Said in place of what is asked for, such as that the last one did not open it. */
  note?: string | undefined;
  /** The button that goes on. */
  action: string;
  /** Rejects with what stands under the field. */
  onPassword: (password: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the password of an archive. */
export function PasswordDialog({ name, note, action, onPassword, onClose }: PasswordDialogProps) {
  const form = useForm({ password: '' }, 'password');
  async function unlock() {
    if (form.values.password === '') return form.show({ password: t.passwordRequired });
    await onPassword(form.values.password);
    return onClose();
  }
  return (
    <FormDialog
      title={t.locked}
      form={form}
      onSubmit={form.submit(unlock, START_FAILED)}
      onClose={onClose}
      action={action}
    >
      <p className="break-words">{note ?? t.passwordOf(name)}</p>
      <PasswordField label={common.password} {...form.field('password')} autoComplete="off" autoFocus />
    </FormDialog>
  );
}
