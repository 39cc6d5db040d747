import * as t from '#messages/trash.ts';
import { FailuresDialog } from '../items/dialogs/FailuresDialog.tsx';
import { FolderDialog } from '../items/dialogs/FolderDialog.tsx';
import type { TrashActions } from './actions.ts';
import type { Asking } from './Trash.tsx';

export interface TrashDialogsProps {
  asking: Asking;
  actions: TrashActions;
  onClose: () => void;
}

const NONE: ReadonlySet<number> = new Set();

/** The dialog that is open over Trash. Its code is loaded when the first one is asked for. */
export default function TrashDialogs({ asking, actions, onClose }: TrashDialogsProps) {
  if (asking.dialog === 'failures')
    return <FailuresDialog title={asking.title} failures={asking.failures} onClose={onClose} />;
  const { items } = asking;
  return (
    <FolderDialog
      title={items.length === 1 ? t.restoreOneTo(items[0]!.name) : t.restoreItemsTo(items.length)}
      startId={null}
      barred={NONE}
      label={t.restoreHere}
      onChoose={(to) => actions.restore(items, to)}
      onClose={onClose}
    />
  );
}
