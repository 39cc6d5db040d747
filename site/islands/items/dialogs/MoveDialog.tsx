import type { ItemView } from '#server/documents/contract.ts';
import * as d from '#messages/itemDialogs.ts';
import type { ClientRef } from '../../../lib/driveLocation.ts';
import type { OpenFolder } from '../ItemListModel.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { FolderDialog } from './FolderDialog.tsx';
import { useRemovalNotice } from './useRemovalNotice.ts';

/** The client of all the items, or else of their folder. */
const clientOf = (items: readonly ItemView[], folder: OpenFolder): ClientRef | null => {
  const client = items[0]?.client ?? folder.client;
  return items.every((item) => (item.client_id ?? client?.id) === client?.id) ? client : null;
};

/** Moves items to a chosen folder. */
export function MoveDialog({ items, onClose }: { items: readonly ItemView[]; onClose: () => void }) {
  const { folder, actions, send, setSelecting } = useItemScreen();
  const removed = useRemovalNotice(items.length === 1 ? items[0] : undefined);
  return (
    <FolderDialog
      title={items.length === 1 ? d.moveOne(items[0]?.name ?? '') : d.moveItems(items.length)}
      startId={folder.id}
      excluded={new Set(items.map((item) => item.id))}
      isCurrent={(id) => items.every((item) => item.parent_id === id)}
      canCreate
      client={clientOf(items, folder)}
      moved={items}
      label={d.moveToFolder}
      removed={removed}
      onClose={onClose}
      onChoose={async (to, tell) => {
        const allMoved = await actions.move(items, to, tell);
        if (allMoved) {
          send({ type: 'clear' });
          setSelecting(false);
        }
        return allMoved;
      }}
    />
  );
}
