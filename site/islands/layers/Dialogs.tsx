import { useEffect, useState } from 'react';
import * as t from '#messages/items.ts';
import { PasswordDialog } from '../archive/PasswordDialog.tsx';
import { extractions } from '../archive/extractions.ts';
import AccessDialog from '../access/AccessDialog.tsx';
import { LabelsDialog } from '../labels/LabelsDialog.tsx';
import { SealDetails } from '../items/dialogs/SealDetails.tsx';
import { SealDialog } from '../items/dialogs/SealDialog.tsx';
import ShareDialog from '../sharing/ShareDialog.tsx';
import { VersionsDialog } from '../versions/VersionsDialog.tsx';
import { useItemScreen } from '../items/ItemListModel.ts';
import { ChangeClientDialog } from '../items/dialogs/ChangeClientDialog.tsx';
import { FailuresDialog } from '../items/dialogs/FailuresDialog.tsx';
import { InboxDialog } from '../items/dialogs/InboxDialog.tsx';
import { MoveDialog } from '../items/dialogs/MoveDialog.tsx';
import { NewFolderDialog } from '../items/dialogs/NewFolderDialog.tsx';
import { RenameDialog } from '../items/dialogs/RenameDialog.tsx';
import { RenameManyDialog } from '../items/dialogs/RenameManyDialog.tsx';
import { PagesDialog } from '../pages-to-pdf/PagesDialog.tsx';
import { UploadDialog } from '../items/dialogs/UploadDialog.tsx';

/** The open dialog of an item screen. Its code is loaded with the first one. */
export default function Dialogs() {
  const { dialog, openDialog, folder } = useItemScreen();
  const close = () => openDialog(null);
  const place = `${folder.id} ${folder.client?.id}`;
  const [opened, setOpened] = useState({ dialog, place });
  if (opened.dialog !== dialog) setOpened({ dialog, place });
  // A dialog is about the folder that Back has left.
  const left = dialog !== null && opened.dialog === dialog && opened.place !== place;
  useEffect(() => {
    if (left) openDialog(null);
  }, [left, openDialog]);
  switch (dialog?.dialog) {
    case 'folder':
      return <NewFolderDialog onClose={close} />;
    case 'client':
      return <ChangeClientDialog items={dialog.items} onClose={close} />;
    case 'labels':
      return <LabelsDialog items={dialog.items} onClose={close} />;
    case 'rename':
      return dialog.items.length === 1 ? (
        <RenameDialog item={dialog.items[0]!} onClose={close} />
      ) : (
        <RenameManyDialog items={dialog.items} onClose={close} />
      );
    case 'move':
      return <MoveDialog items={dialog.items} onClose={close} />;
    case 'inbox':
      return <InboxDialog item={dialog.item} onClose={close} />;
    case 'share':
      return <ShareDialog items={dialog.items} onClose={close} />;
    case 'access': {
      const { id, name, client } = dialog.item;
      return <AccessDialog of={{ kind: 'item', id, name }} client={client} onClose={close} />;
    }
    case 'seal':
      return dialog.item.seal ? (
        <SealDetails item={dialog.item} onClose={close} />
      ) : (
        <SealDialog item={dialog.item} onClose={close} />
      );
    case 'versions':
      return <VersionsDialog item={dialog.item} onClose={close} />;
    case 'pages': {
      const { id, name, client } = folder;
      return (
        <PagesDialog
          target={{ parentId: id, folder: name }}
          client={client && { id: String(client.id), label: client.name }}
          onClose={close}
        />
      );
    }
    case 'upload':
      return <UploadDialog onClose={close} />;
    case 'extract':
      return (
        <PasswordDialog
          name={dialog.item.name}
          action={t.extract}
          onPassword={(password) => extractions.start(dialog.item.id, { password })}
          onClose={close}
        />
      );
    case 'failures':
      return <FailuresDialog title={dialog.title} failures={dialog.failures} onClose={close} />;
    default:
      return null;
  }
}
