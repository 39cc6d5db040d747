import { useEffect, useRef } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import * as t from '#messages/items.ts';
import * as common from '#messages/common.ts';
import { TextField } from '../../../components/TextField.tsx';
import { messageOf } from '../../../lib/apiError.ts';
import { short } from '../../../lib/middleCut.ts';
import { toast } from '../../../lib/toast.ts';
import { toastWithUndo } from '../../../lib/undo.ts';
import { calls } from '../../../lib/documentCalls.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { useForm } from '../../../lib/useForm.ts';

const FAILED = t.renameFailed;

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
    if (name === '') return form.show({ name: t.nameRequired });
    if (name !== item.name) {
      const renamed = await calls.rename(item.id, name);
      await refresh();
      toastWithUndo(t.renamed(short(renamed.name)), () => void renameBack());
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
      title={item.type === 'folder' ? t.renameFolder : t.renameFile}
      form={form}
      onSubmit={form.submit(rename, FAILED)}
      onClose={onClose}
      action={t.rename}
    >
      <TextField
        label={common.name}
        {...form.field('name')}
        inputRef={input}
        autoComplete="off"
        maxLength={255}
      />
    </FormDialog>
  );
}
