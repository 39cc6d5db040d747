import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { OneFieldDialog } from '../../../components/OneFieldDialog.tsx';
import { notifyChanged } from '../../../lib/cache.ts';
import { openPage } from '../../../lib/navigation.ts';
import { driveHref } from '../../../lib/driveLocation.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';

/** Creates a folder for the client in My Drive and opens it. */
export default function FolderDialog({
  client,
  onClose,
}: {
  client: Pick<ClientView, 'id' | 'name'>;
  onClose: () => void;
}) {
  async function create(name: string) {
    const folder = await documentCalls.createFolder(name, null, client.id);
    notifyChanged();
    openPage(driveHref({ folderId: folder.id }));
  }

  return (
    <OneFieldDialog
      title={t.newFolder}
      field={{
        name: 'name',
        label: common.name,
        placeholder: t.untitledFolder,
        description: t.folderAbout(client.name),
        maxLength: 255,
      }}
      initial={client.name}
      required={t.folderNameRequired}
      action={t.create}
      onSave={create}
      failed={t.folderFailed}
      isCatchAll
      onClose={onClose}
    />
  );
}
