import type { Key } from 'react';
import { useState } from 'react';
import {
  Ellipsis,
  Download,
  Eye,
  FileClock,
  FileUp,
  FolderInput,
  FolderOpen,
  FolderArchive,
  FolderSearch,
  History,
  Inbox,
  Info,
  Lock,
  Pencil,
  Share2,
  Sparkles,
  Table2,
  Tag,
  Trash2,
  UserRound,
  Users,
} from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import { previewKind } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import * as common from '#messages/common.ts';
import * as seals from '#messages/seals.ts';
import { title as details } from '#messages/details.ts';
import type { OpenedAt } from '../../components/ContextMenu.tsx';
import { ContextMenu, isSheet } from '../../components/ContextMenu.tsx';
import { MenuItem, MenuSeparator } from '../../components/Menu.tsx';
import { filingHref } from '../../lib/filing.ts';
import { openDetails } from '../../lib/detailsPanel.ts';
import { openPage as openAddress } from '../../lib/navigation.ts';
import { formatDate } from '../../lib/format.ts';
import { may } from '../../lib/permissions.ts';
import { historyHref, highlightHref } from '../../lib/search.ts';
import { mayUnpack } from '../seals/mayUnpack.ts';
import { chooseVersion } from '../uploads/chooseVersion.ts';
import { useItemScreen } from './ItemListModel.ts';

/** The items of the menu, at least one. */
export type OpenedMenu = OpenedAt<readonly ItemView[]>;

/** The limit of ids in the URL of the filing screen (`parseItemIds`). */
const MAX_FILED = 100;

const SIZE = { size: 16, 'aria-hidden': true } as const;

export const menuLabel = (items: readonly ItemView[]): string =>
  items.length === 1 ? t.actionsFor(items[0]?.name ?? '') : t.actionsForItems(items.length);

/** @param few omits rarely used entries, which would not fit on a phone. */
function menuItems(items: readonly ItemView[], few: boolean, showAll: () => void) {
  const [one] = items;
  if (!one) return null;
  const single = items.length === 1;
  // Disabled only if all items are sealed; else the actions apply to the unsealed ones.
  const sealed = items.every((item) => item.seal);
  const [writes, deletes, downloads] = [
    may('documents.write'),
    may('documents.delete'),
    may('documents.download'),
  ];
  return (
    <>
      {single && one.type === 'folder' && (
        <MenuItem id="open" icon={<FolderOpen {...SIZE} />} shortcut="Enter">
          {t.open}
        </MenuItem>
      )}
      {single && previewKind(one.file_type) && (
        <MenuItem id="open" icon={<Eye {...SIZE} />} shortcut="Enter">
          {one.file_type === 'zip' ? t.lookInside : common.preview}
        </MenuItem>
      )}
      {!few && single && one.path !== null && (
        <MenuItem id="show" icon={<FolderSearch {...SIZE} />}>
          {t.showInFolder}
        </MenuItem>
      )}
      {downloads && (
        <MenuItem id="download" icon={<Download {...SIZE} />}>
          {common.download}
        </MenuItem>
      )}
      {!few && downloads && (
        <MenuItem id="values" icon={<Table2 {...SIZE} />}>
          {t.valuesAsXlsx}
        </MenuItem>
      )}
      {may('share') && (
        <MenuItem id="share" icon={<Share2 {...SIZE} />}>
          {t.share}
        </MenuItem>
      )}
      {mayUnpack(one) && downloads && single && (
        <MenuItem id="extract" icon={<FolderArchive {...SIZE} />}>
          {t.extractZip}
        </MenuItem>
      )}
      {may('documents.write') && <MenuSeparator />}
      {writes && (
        <MenuItem id="rename" isDisabled={sealed} icon={<Pencil {...SIZE} />} shortcut="F2">
          {t.rename}
        </MenuItem>
      )}
      {writes && (
        <MenuItem id="client" isDisabled={sealed} icon={<UserRound {...SIZE} />}>
          {t.changeClient}
        </MenuItem>
      )}
      {/* A seal protects content and location, not labels. */}
      {!few && may('documents.write') && (
        <MenuItem id="labels" icon={<Tag {...SIZE} />}>
          {t.labels}
        </MenuItem>
      )}
      {writes && (
        <MenuItem id="move" isDisabled={sealed} icon={<FolderInput {...SIZE} />}>
          {t.moveTo}
        </MenuItem>
      )}
      {writes && !sealed && items.every(({ type }) => type === 'file') && items.length <= MAX_FILED && (
        <MenuItem id="file" icon={<Sparkles {...SIZE} />}>
          {t.file}
        </MenuItem>
      )}
      {writes && !sealed && single && one.type === 'folder' && (
        <MenuItem id="inbox" icon={<Inbox {...SIZE} />}>
          {t.inbox}
        </MenuItem>
      )}
      <MenuItem id="details" icon={<Info {...SIZE} />} shortcut="I">
        {details}
      </MenuItem>
      {!few && writes && single && one.type === 'file' && (
        <MenuItem id="newVersion" isDisabled={sealed} icon={<FileUp {...SIZE} />}>
          {t.newVersion}
        </MenuItem>
      )}
      {!few && single && one.type === 'file' && (
        <MenuItem id="versions" icon={<FileClock {...SIZE} />}>
          {t.versions}
        </MenuItem>
      )}
      {!few && single && (
        <MenuItem id="access" icon={<Users {...SIZE} />}>
          {t.whoHasAccess}
        </MenuItem>
      )}
      {!few && single && (one.seal || may('retention.manage')) && (
        <MenuItem id="seal" icon={<Lock {...SIZE} />}>
          {one.seal ? seals.sealDetails : seals.seal}
        </MenuItem>
      )}
      {!few && single && may('history.read') && (
        <MenuItem id="history" icon={<History {...SIZE} />}>
          {t.history}
        </MenuItem>
      )}
      {few && (
        <MenuItem id="more" icon={<Ellipsis {...SIZE} />} shouldCloseOnSelect={false} onAction={showAll}>
          {t.more}
        </MenuItem>
      )}
      {deletes && <MenuSeparator />}
      {deletes && (
        <MenuItem
          id="delete"
          danger
          isDisabled={sealed}
          why={sealed && one.seal ? seals.sealedBy(one.seal.by, formatDate(one.seal.at)) : undefined}
          icon={<Trash2 {...SIZE} />}
          shortcut="Delete"
        >
          {common.remove}
        </MenuItem>
      )}
    </>
  );
}

/** The context menu of an item, or of the selected ones. */
export function ItemMenu({ opened, onClose }: { opened: OpenedMenu | null; onClose: () => void }) {
  const { actions, openDialog, open, selection, send, setAlert } = useItemScreen();
  /** The menu that the user has expanded. */
  const [expanded, setExpanded] = useState<OpenedMenu | null>(null);
  const few = opened !== null && opened !== expanded && isSheet();
  function act(key: Key, items: readonly ItemView[]): void {
    const [one] = items;
    if (!one) return undefined;
    switch (key) {
      case 'open':
        return open(one);
      case 'show':
        return openAddress(highlightHref(one));
      case 'rename':
        return openDialog({ dialog: 'rename', items });
      case 'client':
        return openDialog({ dialog: 'client', items });
      case 'labels':
        return openDialog({ dialog: 'labels', items });
      case 'download':
        return void actions.download(items);
      case 'values':
        return void actions.saveValues(items);
      case 'extract':
        return void actions.extract(one);
      case 'move':
        return openDialog({ dialog: 'move', items });
      case 'file':
        return openAddress(filingHref(items.map(({ id }) => id)));
      case 'inbox':
        return openDialog({ dialog: 'inbox', item: one });
      case 'details':
        // On touch screens the menu of an item does not select it.
        if (!items.every(({ id }) => selection.selected.has(id))) send({ type: 'only', id: one.id });
        return openDetails();
      case 'share':
        return openDialog({ dialog: 'share', items });
      case 'newVersion':
        return chooseVersion(one, setAlert);
      case 'versions':
        return openDialog({ dialog: 'versions', item: one });
      case 'access':
        return openDialog({ dialog: 'access', item: one });
      case 'seal':
        return openDialog({ dialog: 'seal', item: one });
      case 'history':
        return openAddress(historyHref('item', one.id));
      case 'delete':
        return void actions.remove(items);
      default:
        return undefined;
    }
  }
  return (
    <ContextMenu opened={opened} onClose={onClose} label={menuLabel} onAction={act}>
      {(items) => menuItems(items, few, () => setExpanded(opened))}
    </ContextMenu>
  );
}
