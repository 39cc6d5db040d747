import { useEffect, useState } from 'react';
import { Download, FolderInput, Pencil, Share2, Trash2, UserRound } from 'lucide-react';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as t from '#messages/items.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { useItemList, useItemScreen } from './ItemListModel.ts';
import {
  SelectAllButton,
  SelectionAction,
  SelectionCount,
  SelectionToolbar,
  useSelectedCount,
} from './SelectionToolbar.tsx';

/** The total size of the selected files; the text says so if there are folders too. */
function useSelectedSize(): string {
  const { chosen } = useItemList();
  const bytes = chosen.reduce((total, item) => total + (item.file_size ?? 0), 0);
  const hasFolders = chosen.some((item) => item.type === 'folder');
  return bytes > 0 ? ` · ${hasFolders ? t.andFolders(formatBytes(bytes)) : formatBytes(bytes)}` : '';
}

export function BulkBar() {
  const { chosen, openDialog, actions } = useItemScreen();
  const size = useSelectedSize();
  const none = chosen.length === 0;
  const allSealed = chosen.every((item) => item.seal);
  const icon = { size: 16, 'aria-hidden': true } as const;
  return (
    <SelectionToolbar>
      <SelectionCount size={size} className="flex-1" />
      <SelectAllButton />
      <span className="mx-1 h-5 w-px bg-accent-line max-sm:hidden" />
      <SelectionAction
        label={common.download}
        data-needs="documents.download"
        isDisabled={none}
        onPress={() => void actions.download(chosen)}
        icon={<Download {...icon} />}
      />
      <SelectionAction
        label={t.share}
        data-needs="share"
        isDisabled={none}
        onPress={() => openDialog({ dialog: 'share', items: chosen })}
        icon={<Share2 {...icon} />}
      />
      <SelectionAction
        label={t.moveTo}
        data-needs="documents.write"
        isDisabled={allSealed}
        onPress={() => openDialog({ dialog: 'move', items: chosen })}
        icon={<FolderInput {...icon} />}
      />
      {/* On smaller screens these two actions are in the selection's menu. */}
      <Button
        data-needs="documents.write"
        variant="quiet"
        size="sm"
        isDisabled={allSealed}
        onPress={() => openDialog({ dialog: 'rename', items: chosen })}
        icon={<Pencil {...icon} />}
        className="max-xl:hidden!"
      >
        {t.rename}
      </Button>
      <Button
        data-needs="documents.write"
        variant="quiet"
        size="sm"
        isDisabled={allSealed}
        onPress={() => openDialog({ dialog: 'client', items: chosen })}
        icon={<UserRound {...icon} />}
        className="max-lg:hidden!"
      >
        {t.changeClient}
      </Button>
      <SelectionAction
        label={common.remove}
        data-needs="documents.delete"
        danger
        isDisabled={allSealed}
        onPress={() => void actions.remove(chosen)}
        icon={<Trash2 {...icon} />}
      />
    </SelectionToolbar>
  );
}

/** Announces the selection to screen readers, debounced. */
export function SelectionStatus() {
  const { chosen } = useItemList();
  const text = useSelectedCount() + useSelectedSize();
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(chosen.length === 0 ? '' : text), 400);
    return () => clearTimeout(timer);
  }, [chosen.length, text]);
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  );
}
