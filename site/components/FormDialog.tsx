import type { FormEvent, ReactNode } from 'react';
import * as common from '#messages/common.ts';
import { Alert } from './Alert.tsx';
import { Button } from './Button.tsx';
import type { DialogProps } from './Dialog.tsx';
import { Dialog, DialogBody, DialogFooter } from './Dialog.tsx';
import type { Form } from '../lib/useForm.ts';

export interface FormDialogProps {
  title: string;
  form: Pick<Form<never>, 'form' | 'banner' | 'busy'>;
  onSubmit: (event: FormEvent) => void;
  onClose: () => void;
  /** The text of the submit button. */
  action: string;
  danger?: boolean;
  /** Disables the submit button, e.g. when the edited object was deleted meanwhile. */
  submitDisabled?: boolean;
  size?: DialogProps['size'];
  keepsTyped?: DialogProps['keepsTyped'];
  isUnsaved?: DialogProps['isUnsaved'];
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
  submitDisabled = false,
  size = 'sm',
  keepsTyped = false,
  isUnsaved = false,
  children,
}: FormDialogProps) {
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={onClose}
      size={size}
      keepsTyped={keepsTyped}
      isUnsaved={isUnsaved}
    >
      <form ref={form} className="contents" noValidate onSubmit={onSubmit}>
        <DialogBody className="flex flex-col gap-4">
          {banner && <Alert>{banner}</Alert>}
          {children}
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            isDisabled={submitDisabled}
          >
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
