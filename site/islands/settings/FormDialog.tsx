import type { FormEvent, ReactNode } from 'react';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import type { Form } from '../../lib/useForm.ts';

interface FormDialogProps {
  title: string;
  form: Pick<Form<string>, 'form' | 'banner' | 'busy'>;
  onSubmit: (event: FormEvent) => void;
  onClose: () => void;
  /** What the button says. */
  action: string;
  danger?: boolean;
  children: ReactNode;
}

/** A dialog around the fields of a `useForm`. */
export function FormDialog({
  title,
  form: { form, banner, busy },
  onSubmit,
  onClose,
  action,
  danger,
  children,
}: FormDialogProps) {
  return (
    <Dialog title={title} isOpen onOpenChange={onClose}>
      <form ref={form} className="contents" noValidate onSubmit={onSubmit}>
        <DialogBody className="flex flex-col gap-4">
          {banner && <Alert>{banner}</Alert>}
          {children}
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** Proves who asks; the first field of its dialog. */
export const CurrentPassword = ({
  form: { values, edit, errors },
}: {
  form: Pick<Form<'current_password'>, 'values' | 'edit' | 'errors'>;
}) => (
  <PasswordField
    label={common.currentPassword}
    name="current_password"
    autoComplete="current-password"
    autoFocus
    value={values.current_password}
    onChange={(password) => edit('current_password', password)}
    error={errors.current_password}
  />
);
