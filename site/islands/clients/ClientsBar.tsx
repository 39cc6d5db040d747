import { useEffect, useRef } from 'react';
import { CheckSquare, Download, EllipsisVertical, Upload, UserPlus } from 'lucide-react';
import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../components/Menu.tsx';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { restoreFocus } from '../../lib/keptFocus.ts';
import { useMay } from '../../lib/useMay.ts';
import { Filters } from './Filters.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import type { View, useClients } from './useClients.ts';
import { isFiltered, queryOf } from './useClients.ts';
import type { Selecting } from './useSelection.ts';

export type OpenDialog =
  | { kind: 'edit'; client: ClientView | null }
  | { kind: 'import' }
  | { kind: 'access'; client: ClientView }
  | { kind: 'ask' | 'template'; clients: { id: number; name: string }[] };

/** The URL of the export of the filtered list. */
function exportOf(view: View): string {
  const { sort: _sort, direction: _direction, ...filters } = queryOf(view);
  const active = Object.entries(filters).filter(([, value]) => value !== '');
  return `/api/clients/export?${new URLSearchParams(active)}`;
}

interface ClientsBarProps {
  list: ReturnType<typeof useClients>;
  selecting: Selecting;
  openDialog: (dialog: OpenDialog) => void;
}

/** The buttons, or the actions for selected clients in their place, and the filters above the list of clients. */
export function ClientsBar({ list, selecting, openDialog }: ClientsBarProps) {
  const { view, change, clients, totals } = list;
  const may = useMay();
  const select = useRef<HTMLButtonElement>(null);
  const isSelecting = selecting.chosen !== null;
  const chosen = () => Array.from(selecting.chosen ?? [], ([id, name]) => ({ id, name }));
  useEffect(() => (isSelecting ? () => restoreFocus(() => select.current) : undefined), [isSelecting]);
  return (
    <>
      {isSelecting ? (
        <SelectionBar
          selecting={selecting}
          shown={list.complete ? clients.length : isFiltered(view) ? null : totals.total}
          onAll={() => void selecting.all(view)}
          onAsk={() => openDialog({ kind: 'ask', clients: chosen() })}
          onTemplate={() => openDialog({ kind: 'template', clients: chosen() })}
        />
      ) : (
        <>
          <Button
            data-needs="clients.write"
            variant="primary"
            icon={<UserPlus aria-hidden size={16} />}
            onPress={() => openDialog({ kind: 'edit', client: null })}
          >
            {t.newClient}
          </Button>
          <Button
            data-needs="clients.write"
            icon={<Upload aria-hidden size={16} />}
            onPress={() => openDialog({ kind: 'import' })}
            className="max-sm:hidden!"
          >
            {t.importLabel}
          </Button>
          <a
            data-needs="documents.download"
            href={exportOf(view)}
            download
            className={buttonClass('secondary', 'md', 'max-sm:hidden!')}
          >
            <Download aria-hidden size={16} />
            {t.exportLabel}
          </a>
          <span className="sm:hidden">
            <MenuTrigger>
              <IconButton label={t.more}>
                <EllipsisVertical aria-hidden size={16} />
              </IconButton>
              <Menu>
                {may('clients.write') && (
                  <MenuItem
                    icon={<Upload aria-hidden size={16} />}
                    onAction={() => openDialog({ kind: 'import' })}
                  >
                    {t.importLabel}
                  </MenuItem>
                )}
                {may('documents.download') && (
                  <MenuItem icon={<Download aria-hidden size={16} />} href={exportOf(view)} download="">
                    {t.exportLabel}
                  </MenuItem>
                )}
              </Menu>
            </MenuTrigger>
          </span>
          <IconButton
            data-needs="documents.write"
            ref={select}
            label={t.selectClients}
            isDisabled={clients.length === 0}
            onPress={selecting.begin}
          >
            <CheckSquare aria-hidden size={16} />
          </IconButton>
          <IconButton label={common.refresh} onPress={() => void list.refresh()}>
            <RefreshIcon spinning={list.fetching} />
          </IconButton>
        </>
      )}
      <Filters view={view} change={change} />
    </>
  );
}
