import type { Key } from 'react';
import { Camera, Files, FolderPlus, FolderUp, Plus, Upload } from 'lucide-react';
import * as t from '#messages/drive.ts';
import { Button } from '../../components/Button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '../../components/Menu.tsx';
import { chooseFolder } from './chooseFolder.ts';
import { useDriveContext } from './DriveContext.ts';
import { hasTouch } from '../../lib/touch.ts';
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

/** The menu that creates folders and uploads files. */
export function NewMenu() {
  const act = useNewMenuAction();
  return (
    <MenuTrigger>
      <Button data-needs="documents.write" variant="primary" icon={<Plus aria-hidden size={16} />}>
        {t.create}
      </Button>
      <Menu onAction={act}>
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
      </Menu>
    </MenuTrigger>
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
