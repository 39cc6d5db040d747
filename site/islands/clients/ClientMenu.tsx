import type { Key } from 'react';
import type { LucideIcon } from 'lucide-react';
import {
  Copy,
  Download,
  EllipsisVertical,
  FolderTree,
  Gavel,
  History,
  Inbox,
  PanelsTopLeft,
  Pencil,
  Trash2,
  Users,
} from 'lucide-react';
import type { ClientView } from '#server/clients/contract.ts';
import type { Permission } from '#server/permissions.ts';
import { history, whoHasAccess } from '#messages/items.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { place } from '#messages/holds.ts';
import { clientPage } from '#messages/portal.ts';
import { newRequest } from '#messages/requests.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '../../components/Menu.tsx';
import { downloadClientFiles } from '../../lib/downloadClientFiles.ts';
import { openPage } from '../../lib/navigation.ts';
import { historyHref } from '../../lib/search.ts';
import { useMay } from '../../lib/useMay.ts';
import { copy } from './copy.ts';

/** The actions in which the list and the client's page differ. */
export type ClientAction = 'edit' | 'ask' | 'template' | 'portal' | 'access' | 'hold' | 'delete';

interface ClientMenuProps {
  client: ClientView;
  label: string;
  size?: 'sm' | 'md';
  /** On the client's page, where Details copies the numbers: whether a legal hold is on the client. */
  page?: { held: boolean };
  onAction: (action: ClientAction) => void;
}

const ICON = { size: 16, 'aria-hidden': true } as const;

type Entry = readonly [key: string, shown: boolean, Icon: LucideIcon, text: string];

const entriesOf = (
  { pan, gstin }: ClientView,
  may: (permission: Permission) => boolean,
  page: ClientMenuProps['page'],
): Entry[] => [
  ['edit', may('clients.write'), Pencil, t.edit],
  ['ask', !page && may('share'), Inbox, newRequest],
  ['template', may('documents.write'), FolderTree, t.applyTemplate],
  ['portal', page !== undefined && may('share'), PanelsTopLeft, clientPage],
  ['access', true, Users, whoHasAccess],
  ['download', may('documents.download'), Download, t.downloadAll],
  ['history', may('history.read'), History, history],
  ['hold', page?.held === false && may('retention.manage'), Gavel, place],
  ['pan', !page && Boolean(pan), Copy, t.copyPan],
  ['gstin', !page && Boolean(gstin), Copy, t.copyGstin],
];

/** The button and menu of a client, in the list and on the client's page. */
export function ClientMenu({ client, label, size = 'md', page, onAction }: ClientMenuProps) {
  const may = useMay();
  const { id, pan, gstin } = client;
  const act = (key: Key) => {
    if (key === 'download') void downloadClientFiles(id);
    else if (key === 'history') openPage(historyHref('client', id));
    else if (key === 'pan' || key === 'gstin') void copy((key === 'pan' ? pan : gstin) ?? '');
    else onAction(key as ClientAction);
  };
  const entries = entriesOf(client, may, page).filter(([, shown]) => shown);
  return (
    <MenuTrigger>
      <IconButton label={label} size={size}>
        <EllipsisVertical {...ICON} />
      </IconButton>
      <Menu placement={page ? 'bottom start' : 'bottom end'} onAction={act}>
        {entries.map(([key, , Icon, text]) => (
          <MenuItem key={key} id={key} icon={<Icon {...ICON} />}>
            {text}
          </MenuItem>
        ))}
        {may('clients.write') && <MenuSeparator />}
        {may('clients.write') && (
          <MenuItem id="delete" danger icon={<Trash2 {...ICON} />}>
            {common.remove}
          </MenuItem>
        )}
      </Menu>
    </MenuTrigger>
  );
}
