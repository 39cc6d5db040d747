import type { Key } from 'react';
import { useState } from 'react';
import { Camera, Files, FolderPlus, FolderUp, Plus, Upload } from 'lucide-react';
import * as t from '#messages/drive.ts';
import { Button } from '../../components/Button.tsx';
import type { OpenedAt } from '../../components/ContextMenu.tsx';
import { ContextMenu } from '../../components/ContextMenu.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '../../components/Menu.tsx';
import { chooseFolder } from './chooseFolder.ts';
import { useDriveContext } from './DriveContext.ts';
import { may } from '../../lib/permissions.ts';
import { hasTouch } from '../../lib/touch.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { takePhoto } from './takePhoto.ts';

const SIZE = { size: 16, 'aria-hidden': true } as const;

/** Handles the entries of the New menu in the open folder. */
function useNewMenuAction() {
  const { openDialog, folder, setAlert } = useDriveContext();
  const target = { parentId: folder.id, clientId: folder.client?.id ?? null };
  return (key: Key): void => {
    if (key === 'folder') openDialog({ dialog: 'folder' });
    if (key === 'upload') openDialog({ dialog: 'upload' });
    if (key === 'upload-folder') chooseFolder(target, setAlert);
    if (key === 'pages') openDialog({ dialog: 'pages' });
    if (key === 'photo') takePhoto(target, setAlert);
  };
}

const newMenuItems = () => (
  <>
    <MenuItem id="folder" icon={<FolderPlus {...SIZE} />} shortcut="Alt+N">
      {t.newFolder}
    </MenuItem>
    <MenuSeparator />
    <MenuItem id="upload" icon={<Upload {...SIZE} />} shortcut="Ctrl+U">
      {t.fileUpload}
    </MenuItem>
    <MenuItem id="upload-folder" icon={<FolderUp {...SIZE} />}>
      {t.folderUpload}
    </MenuItem>
    <MenuItem id="pages" icon={<Files {...SIZE} />}>
      {t.pagesToPdf}
    </MenuItem>
    {hasTouch() && (
      <MenuItem id="photo" icon={<Camera {...SIZE} />}>
        {t.takePhoto}
      </MenuItem>
    )}
  </>
);

/** The menu that creates folders and uploads files. */
export function NewMenu() {
  const act = useNewMenuAction();
  return (
    <MenuTrigger>
      <Button data-needs="documents.write" variant="primary" icon={<Plus aria-hidden size={16} />}>
        {t.create}
      </Button>
      <Menu onAction={act}>{newMenuItems()}</Menu>
    </MenuTrigger>
  );
}

/** The same menu at the pointer, for a right click on the list's empty space. */
export function BackgroundMenu() {
  const act = useNewMenuAction();
  const { listing } = useDriveContext();
  const [opened, setOpened] = useState<OpenedAt<null> | null>(null);
  useDocumentEvent('contextmenu', (event) => {
    const { target, clientX: x, clientY: y } = event;
    const element = target instanceof Element ? target : null;
    if (!element?.closest('[data-drive] [data-scroller]') || element.closest('[data-id], a, button')) return;
    // A long press is not a right click; the text of a selection has the browser's own menu.
    if ((event as PointerEvent).pointerType === 'touch' || getSelection()?.isCollapsed === false) return;
    if (listing.seal || listing.gone || !may('documents.write')) return;
    event.preventDefault();
    setOpened({ x, y, target: null });
  });
  return (
    <ContextMenu opened={opened} onClose={() => setOpened(null)} label={() => t.create} onAction={act}>
      {newMenuItems}
    </ContextMenu>
  );
}

/** The buttons of an empty folder. */
export function StartButtons() {
  const act = useNewMenuAction();
  return (
    <>
      <Button
        data-needs="documents.write"
        variant="primary"
        icon={<Upload aria-hidden size={16} />}
        onPress={() => act('upload')}
      >
        {t.uploadFiles}
      </Button>
      <Button
        data-needs="documents.write"
        icon={<FolderUp aria-hidden size={16} />}
        onPress={() => act('upload-folder')}
      >
        {t.uploadFolder}
      </Button>
      <Button
        data-needs="documents.write"
        icon={<FolderPlus aria-hidden size={16} />}
        onPress={() => act('folder')}
      >
        {t.newFolderLabel}
      </Button>
    </>
  );
}
