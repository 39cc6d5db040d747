import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { calls } from '../../../lib/documentCalls.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { ClientField } from './ClientField.tsx';
import { useForm } from '../../../lib/useForm.ts';

export function NewFolderDialog({ onClose }: { onClose: () => void }) {
  const { folder: open, find, refresh } = useItemScreen();
  const [client, setClient] = useState(open.client);
  const form = useForm({ name: '' }, 'name');

  async function create() {
    const name = form.values.name.trim();
    if (name === '') return form.show({ name: 'Please enter a folder name' });
    const folder = await calls.createFolder(name, open.id, client?.id ?? null);
    onClose();
    find(folder.id);
    return refresh();
  }

  return (
    <FormDialog
      title="New Folder"
      form={form}
      onSubmit={form.submit(create, 'Failed to create folder. Please try again.')}
      onClose={onClose}
      action="Create"
    >
      <TextField
        label="Name"
        placeholder="Untitled folder"
        {...form.field('name')}
        autoFocus
        autoComplete="off"
        maxLength={255}
      />
      <ClientField
        value={client}
        onChange={setClient}
        description="What is put into the folder gets this client too."
      />
    </FormDialog>
  );
}
