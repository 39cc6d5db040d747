import { ArchiveRestore, FolderInput, Trash2 } from 'lucide-react';
import type { TrashView } from '#server/documents/trash/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as t from '#messages/trash.ts';
import { Button } from '../../components/Button.tsx';
import { useItemList } from '../items/ItemListModel.ts';
import {
  SelectAllButton,
  SelectionAction,
  SelectionCount,
  SelectionToolbar,
} from '../items/SelectionToolbar.tsx';
import type { TrashActions } from './actions.ts';

export interface TrashBarProps {
  actions: TrashActions;
  onRestoreTo: (items: readonly TrashView[]) => void;
}

const ICON = { size: 16, 'aria-hidden': true } as const;

/** The actions for the selected items in Trash. */
export function TrashBar({ actions, onRestoreTo }: TrashBarProps) {
  const chosen = useItemList().chosen as readonly TrashView[];
  const none = chosen.length === 0;
  const bytes = chosen.reduce((sum, item) => sum + item.bytes, 0);
  return (
    <SelectionToolbar>
      <SelectionCount size={bytes > 0 ? ` · ${formatBytes(bytes)}` : ''} className="pr-2 max-sm:flex-1" />
      <Button
        variant="quiet"
        size="sm"
        isDisabled={none}
        icon={<ArchiveRestore {...ICON} />}
        onPress={() => void actions.restore(chosen)}
      >
        {t.restore}
      </Button>
      <SelectionAction
        data-needs="documents.write"
        label={t.restoreTo}
        isDisabled={none}
        onPress={() => onRestoreTo(chosen)}
        icon={<FolderInput {...ICON} />}
      />
      <SelectionAction
        label={t.deleteForever}
        labelFrom="md"
        danger
        isDisabled={none}
        onPress={() => void actions.deleteForever(chosen)}
        icon={<Trash2 {...ICON} />}
      />
      {/* Toasts may cover this end, so it has only the least urgent button. */}
      <SelectAllButton className="ml-auto" />
    </SelectionToolbar>
  );
}
