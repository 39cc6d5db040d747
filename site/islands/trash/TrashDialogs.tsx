import * as t from '#messages/trash.ts';
import { FailuresDialog } from '../items/dialogs/FailuresDialog.tsx';
import { FolderDialog } from '../items/dialogs/FolderDialog.tsx';
import type { TrashActions } from './actions.ts';
import type { TrashDialog } from './Trash.tsx';

export interface TrashDialogsProps {
  dialog: TrashDialog;
  actions: TrashActions;
  onClose: () => void;
}

const NONE: ReadonlySet<number> = new Set();

/** The open dialog of Trash. Its code is loaded with the first one. */
export default function TrashDialogs({ dialog, actions, onClose }: TrashDialogsProps) {
  if (dialog.dialog === 'failures')
    return <FailuresDialog title={dialog.title} failures={dialog.failures} onClose={onClose} />;
  const { items } = dialog;
  return (
    <FolderDialog
      title={items.length === 1 ? t.restoreOneTo(items[0]!.name) : t.restoreItemsTo(items.length)}
      startId={null}
      excluded={NONE}
      canCreate
      label={t.restoreHere}
      onChoose={(to, tell) => actions.restore(items, to, tell)}
      onClose={onClose}
    />
  );
}
