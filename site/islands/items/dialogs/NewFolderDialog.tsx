import { useState } from 'react';
import { Button } from '../../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../../components/Dialog.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { calls } from '../../../lib/documentCalls.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { ClientField } from './ClientField.tsx';
import { useSubmit } from '../../../lib/useSubmit.ts';

export function NewFolderDialog({ onClose }: { onClose: () => void }) {
  const { folder: open, find, refresh } = useItemScreen();
  const [name, setName] = useState('');
  const [client, setClient] = useState(open.client);
  const { busy, error, setError, submit } = useSubmit('name', 'Failed to create folder. Please try again.');

  async function create() {
    if (name.trim() === '') return setError('Please enter a folder name');
    const folder = await calls.createFolder(name.trim(), open.id, client?.id ?? null);
    onClose();
    find(folder.id);
    await refresh();
  }

  return (
    <Dialog title="New Folder" isOpen onOpenChange={onClose}>
      <form className="contents" noValidate onSubmit={submit(create)}>
        <DialogBody className="flex flex-col gap-4">
          <TextField
            label="Name"
            placeholder="Untitled folder"
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
          <ClientField
            value={client}
            onChange={setClient}
            description="What is put into the folder gets this client too."
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
