import { useState } from 'react';
import type { ExtractionView } from '#server/archive/contract.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { useSubmit } from '../drive/dialogs/useSubmit.ts';
import { START_FAILED, extractions } from './extractions.ts';

/** Asks for the password of an archive and begins anew with it. */
export function PasswordDialog({ one, onClose }: { one: ExtractionView; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const start = useSubmit('password', START_FAILED);
  async function unlock() {
    if (password === '') return start.setError('Enter the password');
    await extractions.retry(one.id, password);
    onClose();
  }
  return (
    <Dialog title="This ZIP is password protected" isOpen onOpenChange={onClose}>
      <form className="contents" noValidate onSubmit={start.submit(unlock)}>
        <DialogBody className="flex flex-col gap-3">
          <p className="break-words">
            {one.code === 'wrong_password'
              ? one.message
              : `Enter the password of ${one.file_name}. It is used once and not kept.`}
          </p>
          <PasswordField
            label="Password"
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
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={start.busy}>
            Extract
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
