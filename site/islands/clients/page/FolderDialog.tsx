import { useState } from 'react';
import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
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
  const { busy, error, setError, submit } = useSubmit('name', t.folderFailed);

  async function create() {
    if (name.trim() === '') return setError(t.folderNameRequired);
    const folder = await calls.createFolder(name.trim(), null, client.id);
    changed();
    onClose();
    open(`/dashboard/folder/${folder.id}`);
  }

  return (
    <Dialog title={t.newFolder} isOpen onOpenChange={onClose}>
      <form className="contents" noValidate onSubmit={submit(create)}>
        <DialogBody>
          <TextField
            label={common.name}
            placeholder={t.untitledFolder}
            description={t.folderAbout(client.name)}
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
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {t.create}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
