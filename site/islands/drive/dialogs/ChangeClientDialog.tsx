import { useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { Button } from '../../../components/Button.tsx';
import { Alert } from '../../../components/Alert.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../../components/Dialog.tsx';
import { calls } from '../calls.ts';
import { useDriveContext } from '../DriveContext.ts';
import { ClientField } from './ClientField.tsx';
import { useSubmit } from './useSubmit.ts';

export function ChangeClientDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const { refresh } = useDriveContext();
  const [client, setClient] = useState(item.client);
  const { busy, error, submit } = useSubmit('client_id', 'Failed to change the client. Please try again.');

  async function change() {
    await calls.setClient(item.id, client?.id ?? null);
    await refresh();
    onClose();
  }

  return (
    <Dialog title={`Client of '${item.name}'`} isOpen onOpenChange={onClose}>
      <form className="contents" noValidate onSubmit={submit(change)}>
        <DialogBody className="flex flex-col gap-4">
          {error && <Alert>{error}</Alert>}
          <ClientField
            value={client}
            onChange={setClient}
            {...(item.type === 'folder' && {
              description: 'What is put into the folder from now on gets this client too.',
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
