import { useEffect, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { Button } from '../../../components/Button.tsx';
import { Alert } from '../../../components/Alert.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../../components/Dialog.tsx';
import { plural } from '../../../lib/format.ts';
import { useDriveContext } from '../DriveContext.ts';
import { ClientField } from './ClientField.tsx';
import { useSubmit } from './useSubmit.ts';

export interface ChangeClientDialogProps {
  /** At least one. */
  items: readonly ItemView[];
  onClose: () => void;
}

export function ChangeClientDialog({ items, onClose }: ChangeClientDialogProps) {
  const { actions } = useDriveContext();
  const [first] = items;
  const alike = items.every(({ client_id }) => client_id === first?.client_id);
  const [client, setClient] = useState(alike && first ? first.client : null);
  const { busy, error, submit } = useSubmit('client_id', 'Failed to change the client. Please try again.');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const input = form.current?.querySelector('input');
    input?.focus();
    input?.select();
  }, []);

  async function change() {
    if (await actions.file(items, client)) onClose();
  }

  return (
    <Dialog
      title={`Client of ${items.length === 1 ? `'${first?.name}'` : plural(items.length, 'item')}`}
      isOpen
      onOpenChange={onClose}
    >
      <form ref={form} className="contents" noValidate onSubmit={submit(change)}>
        <DialogBody className="flex flex-col gap-4">
          {error && <Alert>{error}</Alert>}
          <ClientField
            value={client}
            onChange={setClient}
            {...(items.some(({ type }) => type === 'folder') && {
              description: 'What is put into a folder from now on gets its client too.',
            })}
          />
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
