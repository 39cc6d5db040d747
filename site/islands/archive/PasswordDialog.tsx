import { useState } from 'react';
import * as t from '#messages/archive.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { useSubmit } from '../../lib/useSubmit.ts';
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
  const [password, setPassword] = useState('');
  const start = useSubmit('password', START_FAILED);
  async function unlock() {
    if (password === '') return start.setError(t.passwordRequired);
    await onPassword(password);
    onClose();
  }
  return (
    <Dialog title={t.locked} isOpen onOpenChange={onClose}>
      <form className="contents" noValidate onSubmit={start.submit(unlock)}>
        <DialogBody className="flex flex-col gap-3">
          <p className="break-words">{note ?? t.passwordOf(name)}</p>
          <PasswordField
            label={common.password}
            value={password}
            onChange={(value) => {
              setPassword(value);
              start.setError(undefined);
            }}
            error={start.error}
            autoComplete="off"
            autoFocus
          />
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" busy={start.busy}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
