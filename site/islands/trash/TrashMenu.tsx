import { ArchiveRestore, FolderInput, Info, Trash2 } from 'lucide-react';
import type { TrashView } from '#server/documents/trash/contract.ts';
import { title as details } from '#messages/details.ts';
import * as t from '#messages/trash.ts';
import { ContextMenu } from '../../components/ContextMenu.tsx';
import { MenuItem, MenuSeparator } from '../../components/Menu.tsx';
import { openDetails } from '../../lib/detailsPanel.ts';
import { may } from '../../lib/permissions.ts';
import type { MenuProps } from '../items/columns.ts';
import { useItemList } from '../items/ItemListModel.ts';
import { menuLabel } from '../items/ItemMenu.tsx';
import type { TrashActions } from './actions.ts';

const SIZE = { size: 16, 'aria-hidden': true } as const;

/** Makes the context menu of an item in Trash, or of the selected ones. */
export const createTrashMenu = (actions: TrashActions, onRestoreTo: (items: readonly TrashView[]) => void) =>
  function TrashMenu({ opened, onClose }: MenuProps) {
    const { send, selection } = useItemList();
    return (
      <ContextMenu
        opened={opened}
        onClose={onClose}
        label={menuLabel}
        onAction={(key, target) => {
          const items = target as readonly TrashView[];
          if (key === 'restore') return void actions.restore(items);
          if (key === 'restore-to') return onRestoreTo(items);
          if (key === 'delete') return void actions.deleteForever(items);
          if (!items.every(({ id }) => selection.selected.has(id))) send({ type: 'only', id: items[0]!.id });
          return openDetails();
        }}
      >
        {() => (
          <>
            <MenuItem id="restore" icon={<ArchiveRestore {...SIZE} />}>
              {t.restore}
            </MenuItem>
            {may('documents.write') && (
              <MenuItem id="restore-to" icon={<FolderInput {...SIZE} />}>
                {t.restoreTo}
              </MenuItem>
            )}
            <MenuItem id="details" icon={<Info {...SIZE} />} shortcut="I">
              {details}
            </MenuItem>
            <MenuSeparator />
            <MenuItem id="delete" danger icon={<Trash2 {...SIZE} />} shortcut="Delete">
              {t.deleteForever}
            </MenuItem>
          </>
        )}
      </ContextMenu>
    );
  };
