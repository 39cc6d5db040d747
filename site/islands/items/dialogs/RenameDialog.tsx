import { useEffect, useRef } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { messageOf } from '../../../lib/apiError.ts';
import { short } from '../../../lib/middleCut.ts';
import { toast } from '../../../lib/toast.ts';
import { toastWithUndo } from '../../../lib/undo.ts';
import { calls } from '../../../lib/documentCalls.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { useForm } from '../../../lib/useForm.ts';

const FAILED = 'Failed to rename item. Please try again.';

/** The part of a name that people change: all but the extension of a file. */
const stem = ({ name, type }: ItemView): number => {
  const dot = name.lastIndexOf('.');
  return type === 'file' && dot > 0 ? dot : name.length;
};

export function RenameDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const { find, refresh } = useItemScreen();
  const form = useForm({ name: item.name }, 'name');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(0, stem(item));
  }, [item]);

  async function rename() {
    const name = form.values.name.trim();
    if (name === '') return form.show({ name: 'Please enter a valid name' });
    if (name !== item.name) {
      const renamed = await calls.rename(item.id, name);
      await refresh();
      toastWithUndo(`Renamed to '${short(renamed.name)}'`, () => void renameBack());
    }
    onClose();
    return find(item.id);
  }

  async function renameBack() {
    try {
      await calls.rename(item.id, item.name);
    } catch (failure) {
      toast.error(messageOf(failure, FAILED));
    }
    await refresh();
  }

  return (
    <FormDialog
      title={item.type === 'folder' ? 'Rename folder' : 'Rename file'}
      form={form}
      onSubmit={form.submit(rename, FAILED)}
      onClose={onClose}
      action="Rename"
    >
      <TextField label="Name" {...form.field('name')} inputRef={input} autoComplete="off" maxLength={255} />
    </FormDialog>
  );
}
