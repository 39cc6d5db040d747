import { useEffect, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { Button } from '../../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../../components/Dialog.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { messageOf } from '../../../lib/apiError.ts';
import { short } from '../../../lib/middleCut.ts';
import { toast } from '../../../lib/toast.ts';
import { toastWithUndo } from '../../../lib/undo.ts';
import { calls } from '../../../lib/documentCalls.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { useSubmit } from '../../../lib/useSubmit.ts';

/** The part of a name that people change: all but the extension of a file. */
const stem = ({ name, type }: ItemView): number => {
  const dot = name.lastIndexOf('.');
  return type === 'file' && dot > 0 ? dot : name.length;
};

export function RenameDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const { find, refresh } = useItemScreen();
  const [name, setName] = useState(item.name);
  const { busy, error, setError, submit } = useSubmit('name', 'Failed to rename item. Please try again.');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(0, stem(item));
  }, [item]);

  async function rename() {
    if (name.trim() === '') return setError('Please enter a valid name');
    if (name.trim() !== item.name) {
      const renamed = await calls.rename(item.id, name.trim());
      await refresh();
      toastWithUndo(`Renamed to '${short(renamed.name)}'`, () => void renameBack());
    }
    onClose();
    find(item.id);
  }

  async function renameBack() {
    try {
      await calls.rename(item.id, item.name);
    } catch (failure) {
      toast.error(messageOf(failure, 'Failed to rename item. Please try again.'));
    }
    await refresh();
  }

  return (
    <Dialog title={item.type === 'folder' ? 'Rename folder' : 'Rename file'} isOpen onOpenChange={onClose}>
      <form className="contents" noValidate onSubmit={submit(rename)}>
        <DialogBody>
          <TextField
            label="Name"
            value={name}
            onChange={(value) => {
              setName(value);
              setError(undefined);
            }}
            error={error}
            inputRef={input}
            autoComplete="off"
            maxLength={255}
          />
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Rename
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
