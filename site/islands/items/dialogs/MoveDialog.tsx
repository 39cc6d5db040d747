import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { FolderDialog } from './FolderDialog.tsx';
import { useWhatHappened } from './useWhatHappened.ts';

/** Chooses a folder, and moves the items there. */
export function MoveDialog({ items, onClose }: { items: readonly ItemView[]; onClose: () => void }) {
  const { folder, actions, send, setSelecting } = useItemScreen();
  const gone = useWhatHappened(items.length === 1 ? items[0] : undefined);
  return (
    <FolderDialog
      title={items.length === 1 ? t.moveOne(items[0]?.name ?? '') : t.moveItems(items.length)}
      startId={folder.id}
      barred={new Set(items.map((item) => item.id))}
      isThere={(id) => items.every((item) => item.parent_id === id)}
      label={t.moveToFolder}
      gone={gone}
      onClose={onClose}
      onChoose={async (to) => {
        const all = await actions.move(items, to);
        if (all) {
          send({ type: 'clear' });
          setSelecting(false);
        }
        return all;
      }}
    />
  );
}
