import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import * as t from '#messages/items.ts';
import * as common from '#messages/common.ts';
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
    if (name === '') return form.show({ name: t.folderNameRequired });
    const folder = await calls.createFolder(name, open.id, client?.id ?? null);
    onClose();
    find(folder.id);
    return refresh();
  }

  return (
    <FormDialog
      title={t.newFolder}
      form={form}
      onSubmit={form.submit(create, t.folderFailed)}
      onClose={onClose}
      action={t.create}
    >
      <TextField
        label={common.name}
        placeholder={t.untitledFolder}
        {...form.field('name')}
        autoFocus
        autoComplete="off"
        maxLength={255}
      />
      <ClientField value={client} onChange={setClient} description={t.newFolderClientHint} />
    </FormDialog>
  );
}
