import { useState } from 'react';
import type { ClientView } from '#server/clients/contract.ts';
import { Button } from '../../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../../components/Dialog.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { changed } from '../../../lib/cache.ts';
import { open } from '../../../lib/navigation.ts';
import { calls } from '../../../lib/documentCalls.ts';
import { useSubmit } from '../../../lib/useSubmit.ts';

/** A new folder of the client's in My Drive, which is opened then. */
export default function FolderDialog({
  client,
  onClose,
}: {
  client: Pick<ClientView, 'id' | 'name'>;
  onClose: () => void;
}) {
  const [name, setName] = useState(client.name);
  const { busy, error, setError, submit } = useSubmit('name', 'Failed to create folder. Please try again.');

  async function create() {
    if (name.trim() === '') return setError('Please enter a folder name');
    const folder = await calls.createFolder(name.trim(), null, client.id);
    changed();
    onClose();
    open(`/dashboard/folder/${folder.id}`);
  }

  return (
    <Dialog title="New Folder" isOpen onOpenChange={onClose}>
      <form className="contents" noValidate onSubmit={submit(create)}>
        <DialogBody>
          <TextField
            label="Name"
            placeholder="Untitled folder"
            description={`It is made in My Drive and linked to ${client.name}.`}
            value={name}
            onChange={(value) => {
              setName(value);
              setError(undefined);
            }}
            error={error}
            autoFocus
            autoComplete="off"
            maxLength={255}
          />
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Create
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
