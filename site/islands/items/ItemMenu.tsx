import type { Key } from 'react';
import {
  Camera,
  Download,
  Eye,
  FolderInput,
  FolderOpen,
  FolderPlus,
  FolderArchive,
  FolderSearch,
  FolderUp,
  Pencil,
  Trash2,
  Upload,
  UserRound,
} from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import { previewKind } from '#server/documents/contract.ts';
import { MenuItem, MenuSeparator } from '../../components/Menu.tsx';
import { open } from '../../lib/navigation.ts';
import { placeOf } from '../../lib/search.ts';
import { chooseFolder } from '../drive/chooseFolder.ts';
import { useDriveContext } from '../drive/DriveContext.ts';
import { takePhoto } from '../drive/takePhoto.ts';

/** What a menu is about; without items it is about the open folder. */
export interface MenuTarget {
  items: readonly ItemView[];
}

const SIZE = { size: 16, 'aria-hidden': true } as const;

export function menuLabel({ items }: MenuTarget): string {
  if (items.length === 0) return 'Actions for this folder';
  return items.length === 1 ? `Actions for ${items[0]?.name}` : `Actions for ${items.length} items`;
}

export function menuItems({ items }: MenuTarget) {
  const [one] = items;
  if (!one) return folderItems();
  const single = items.length === 1;
  return (
    <>
      {single && one.type === 'folder' && (
        <MenuItem id="open" icon={<FolderOpen {...SIZE} />} shortcut="Enter">
          Open
        </MenuItem>
      )}
      {single && previewKind(one.file_type) && (
        <MenuItem id="open" icon={<Eye {...SIZE} />} shortcut="Enter">
          {one.file_type === 'zip' ? 'Look inside' : 'Preview'}
        </MenuItem>
      )}
      {single && one.path !== null && (
        <MenuItem id="show" icon={<FolderSearch {...SIZE} />}>
          Show in folder
        </MenuItem>
      )}
      <MenuItem id="download" icon={<Download {...SIZE} />}>
        Download
      </MenuItem>
      {single && one.file_type === 'zip' && (
        <MenuItem id="extract" icon={<FolderArchive {...SIZE} />}>
          Extract ZIP
        </MenuItem>
      )}
      <MenuSeparator />
      {single && (
        <MenuItem id="rename" icon={<Pencil {...SIZE} />} shortcut="F2">
          Rename
        </MenuItem>
      )}
      <MenuItem id="client" icon={<UserRound {...SIZE} />}>
        Change client…
      </MenuItem>
      <MenuItem id="move" icon={<FolderInput {...SIZE} />}>
        Move to…
      </MenuItem>
      <MenuSeparator />
      <MenuItem id="delete" danger icon={<Trash2 {...SIZE} />} shortcut="Delete">
        Delete
      </MenuItem>
    </>
  );
}

/** Menus are drawn in the browser; the server only reads what they hold. */
const hasTouch = (): boolean => typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;

/** The New menu's entries, which the background's menu has too. */
export function folderItems() {
  return (
    <>
      <MenuItem id="folder" icon={<FolderPlus {...SIZE} />} shortcut="Alt+N">
        New Folder
      </MenuItem>
      <MenuSeparator />
      <MenuItem id="upload" icon={<Upload {...SIZE} />} shortcut="Ctrl+U">
        File Upload
      </MenuItem>
      <MenuItem id="upload-folder" icon={<FolderUp {...SIZE} />}>
        Folder Upload
      </MenuItem>
      {hasTouch() && (
        <MenuItem id="photo" icon={<Camera {...SIZE} />}>
          Take a Photo
        </MenuItem>
      )}
    </>
  );
}

/** Does what a menu's entry says. */
export function useMenuAction() {
  const drive = useDriveContext();
  const { actions, ask, place } = drive;
  return (key: Key, { items }: MenuTarget): void => {
    const [one] = items;
    switch (key) {
      case 'folder':
        return ask({ dialog: 'folder' });
      case 'upload':
        return ask({ dialog: 'upload' });
      case 'upload-folder':
        return chooseFolder({ parentId: place.folderId, clientId: place.client?.id ?? null }, drive.setAlert);
      case 'photo':
        return takePhoto({ parentId: place.folderId, clientId: place.client?.id ?? null }, drive.setAlert);
      case 'open':
        return one && actions.open(one);
      case 'show':
        return one && open(placeOf(one));
      case 'rename':
        return one && ask({ dialog: 'rename', item: one });
      case 'client':
        return ask({ dialog: 'client', items });
      case 'download':
        return void actions.download(items);
      case 'extract':
        return one && void actions.extract(one);
      case 'move':
        return ask({ dialog: 'move', items });
      case 'delete':
        return void actions.remove(items);
      default:
        return undefined;
    }
  };
}
