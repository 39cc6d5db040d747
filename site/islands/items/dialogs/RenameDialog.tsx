import { useEffect, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { ALLOWED_EXTENSIONS } from '#server/documents/contract.ts';
import { extensionOf } from '#server/text/extension.ts';
import { OneFieldDialog } from '../../../components/OneFieldDialog.tsx';
import * as t from '#messages/items.ts';
import * as d from '#messages/itemDialogs.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../../components/Alert.tsx';
import { ApiError, invalid, messageOf } from '../../../lib/apiError.ts';
import { confirm } from '../../../lib/confirm.ts';
import { truncateMiddle } from '../../../lib/truncateMiddle.ts';
import { toast } from '../../../lib/toast.ts';
import { toastWithUndo } from '../../../lib/undo.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { useRemovalNotice } from './useRemovalNotice.ts';

const FAILED = d.renameFailed;

/** The length of a name without a file's extension. */
const stemLength = ({ name, type }: ItemView): number => {
  const dot = name.lastIndexOf('.');
  return type === 'file' && dot > 0 ? dot : name.length;
};

/** Other spellings of an extension. */
const SPELLINGS: Readonly<Record<string, string>> = { jpeg: 'jpg', tif: 'tiff', htm: 'html', heif: 'heic' };
const typeOf = (extension: string): string => SPELLINGS[extension] ?? extension;

/** Asks before another extension makes a file one that cannot be shown. @throws {ApiError} when the type is kept. */
async function confirmType({ file_type }: ItemView, name: string): Promise<void> {
  const [from, to] = [file_type ?? '', extensionOf(name)];
  // What the server does not allow, it refuses.
  if (typeOf(from) === typeOf(to) || !ALLOWED_EXTENSIONS.has(to)) return;
  const question = { title: d.changeTypeQuestion(from, to), body: d.changeTypeAbout };
  const yes = await confirm({ ...question, action: d.changeType(to), cancel: d.keepType(from) });
  if (!yes) throw invalid({ name: [d.typeKept(from)] });
}

export function RenameDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const { find, refresh, rows } = useItemScreen();
  const removed = useRemovalNotice(item);
  /** Whether the user was told that a colleague has changed the item; the next try renames the changed item. */
  const [isChangeKnown, setChangeKnown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(0, stemLength(item));
  }, [item]);

  async function rename(name: string) {
    const before = isChangeKnown ? (rows.byId.get(item.id) ?? item) : item;
    if (name !== before.name) {
      if (item.type === 'file') await confirmType(before, name);
      const renamed = await documentCalls.rename(item.id, name, before).catch(async (failure: unknown) => {
        if (failure instanceof ApiError && failure.code === 'item_changed') setChangeKnown(true);
        await refresh();
        throw failure;
      });
      await refresh();
      toastWithUndo(d.renamed(truncateMiddle(renamed.name)), () => void renameBack(renamed, before.name));
    }
    show();
  }

  /** Scrolls to the item, which sorts elsewhere now. What is selected stays: the next keys are for that or for the focused row. */
  const show = () => find(item.id, { type: 'focus', id: item.id });

  async function renameBack(renamed: ItemView, name: string) {
    try {
      await documentCalls.rename(item.id, name, { ...renamed, undoing: true });
    } catch (failure) {
      toast.error(messageOf(failure, FAILED));
    }
    await refresh();
    show();
  }

  return (
    <OneFieldDialog
      title={item.type === 'folder' ? d.renameFolder : d.renameFile}
      field={{ name: 'name', label: common.name, inputRef: input, maxLength: 255, autoFocus: false }}
      initial={item.name}
      required={d.nameRequired}
      action={t.rename}
      onSave={rename}
      failed={FAILED}
      isCatchAll
      onClose={onClose}
      submitDisabled={removed !== null}
    >
      {removed && <Alert tone="warning">{removed}</Alert>}
    </OneFieldDialog>
  );
}
