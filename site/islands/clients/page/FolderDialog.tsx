import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { changed } from '../../../lib/cache.ts';
import { open } from '../../../lib/navigation.ts';
import { addressOf } from '../../../lib/place.ts';
import { calls } from '../../../lib/documentCalls.ts';
import { useForm } from '../../../lib/useForm.ts';

/** A new folder of the client's in My Drive, which is opened then. */
export default function FolderDialog({
  client,
  onClose,
}: {
  client: Pick<ClientView, 'id' | 'name'>;
  onClose: () => void;
}) {
  const form = useForm({ name: client.name }, 'name');

  async function create() {
    const name = form.values.name.trim();
    if (name === '') return form.show({ name: t.folderNameRequired });
    const folder = await calls.createFolder(name, null, client.id);
    changed();
    onClose();
    return open(addressOf({ folderId: folder.id }));
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
        description={t.folderAbout(client.name)}
        {...form.field('name')}
        autoFocus
        autoComplete="off"
        maxLength={255}
      />
    </FormDialog>
  );
}
