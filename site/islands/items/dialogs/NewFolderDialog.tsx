import { useState } from 'react';
import { OneFieldDialog } from '../../../components/OneFieldDialog.tsx';
import * as t from '#messages/items.ts';
import * as common from '#messages/common.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { ClientField } from './ClientField.tsx';

export function NewFolderDialog({ onClose }: { onClose: () => void }) {
  const { folder, find, refresh } = useItemScreen();
  const [open] = useState(folder);
  const [client, setClient] = useState(open.client);

  async function create(name: string) {
    const folder = await documentCalls.createFolder(name, open.id, client?.id ?? null);
    find(folder.id);
    void refresh();
  }

  return (
    <OneFieldDialog
      title={t.newFolder}
      field={{ name: 'name', label: common.name, placeholder: t.untitledFolder, maxLength: 255 }}
      required={t.folderNameRequired}
      action={t.create}
      onSave={create}
      failed={t.folderFailed}
      isCatchAll
      onClose={onClose}
      below={<ClientField value={client} onChange={setClient} description={t.newFolderClientHint} />}
    />
  );
}
