import {
  Download,
  EllipsisVertical,
  FileClock,
  FolderInput,
  History,
  Lock,
  Pencil,
  Share2,
  Tag,
  Trash2,
  UserRound,
  Users,
} from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import { changeClient, history, labels, moveTo, share, versions, whoHasAccess } from '#messages/items.ts';
import * as t from '#messages/preview.ts';
import * as seals from '#messages/seals.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '../../components/Menu.tsx';
import { useMay } from '../../lib/useMay.ts';

/** The actions of the menu and of the buttons beside it. */
export type PreviewAct =
  | 'share'
  | 'download'
  | 'rename'
  | 'client'
  | 'labels'
  | 'move'
  | 'versions'
  | 'access'
  | 'seal'
  | 'history'
  | 'delete';

const ICON = { size: 18, 'aria-hidden': true } as const;

/** The menu of the file in the preview, with the actions of its menu in the list. */
export function PreviewMenu({ item, act }: { item: ItemView; act: (action: PreviewAct) => void }) {
  const may = useMay();
  const writes = may('documents.write');
  const open = !item.seal;
  return (
    <MenuTrigger>
      <IconButton label={t.moreActions}>
        <EllipsisVertical {...ICON} />
      </IconButton>
      <Menu placement="bottom end" onAction={(key) => act(key as PreviewAct)}>
        {may('documents.download') && (
          <MenuItem id="download" icon={<Download {...ICON} />}>
            {common.download}
          </MenuItem>
        )}
        {may('share') && (
          <MenuItem id="share" icon={<Share2 {...ICON} />}>
            {share}
          </MenuItem>
        )}
        {writes && <MenuSeparator />}
        {writes && open && (
          <MenuItem id="rename" icon={<Pencil {...ICON} />}>
            {t.rename}
          </MenuItem>
        )}
        {writes && open && (
          <MenuItem id="client" icon={<UserRound {...ICON} />}>
            {changeClient}
          </MenuItem>
        )}
        {writes && (
          <MenuItem id="labels" icon={<Tag {...ICON} />}>
            {labels}
          </MenuItem>
        )}
        {writes && open && (
          <MenuItem id="move" icon={<FolderInput {...ICON} />}>
            {moveTo}
          </MenuItem>
        )}
        <MenuItem id="versions" icon={<FileClock {...ICON} />}>
          {versions}
        </MenuItem>
        <MenuItem id="access" icon={<Users {...ICON} />}>
          {whoHasAccess}
        </MenuItem>
        {(item.seal || may('retention.manage')) && (
          <MenuItem id="seal" icon={<Lock {...ICON} />}>
            {item.seal ? seals.sealDetails : seals.seal}
          </MenuItem>
        )}
        {may('history.read') && (
          <MenuItem id="history" icon={<History {...ICON} />}>
            {history}
          </MenuItem>
        )}
        {may('documents.delete') && open && <MenuSeparator />}
        {may('documents.delete') && open && (
          <MenuItem id="delete" danger icon={<Trash2 {...ICON} />}>
            {common.remove}
          </MenuItem>
        )}
      </Menu>
    </MenuTrigger>
  );
}
