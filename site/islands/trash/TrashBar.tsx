import { ArchiveRestore, FolderInput, Trash2, X } from 'lucide-react';
import { MOST_AT_ONCE } from '#server/documents/contract.ts';
import type { TrashView } from '#server/documents/trash/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as items from '#messages/items.ts';
import * as t from '#messages/trash.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { useItemList } from '../items/ItemListModel.ts';
import type { TrashActions } from './actions.ts';

export interface TrashBarProps {
  actions: TrashActions;
  onRestoreTo: (items: readonly TrashView[]) => void;
}

const ICON = { size: 16, 'aria-hidden': true } as const;

/** What can be done with what is selected in Trash. */
export function TrashBar({ actions, onRestoreTo }: TrashBarProps) {
  const { rows, send, setSelecting, ...list } = useItemList();
  const chosen = list.chosen as readonly TrashView[];
  const { rest } = rows;
  const none = chosen.length === 0;
  const all = !none && chosen.length === rows.order.length;
  const bytes = chosen.reduce((sum, item) => sum + item.bytes, 0);
  const most = rest?.total == null ? null : Math.min(rest.total, MOST_AT_ONCE);
  const texts = (rest?.total ?? 0) > MOST_AT_ONCE ? items.selectFirst : items.selectRest;
  return (
    <div
      role="toolbar"
      aria-label={items.selection}
      className="flex min-h-9 w-full items-center gap-1 rounded-md border border-accent-line bg-accent-soft px-1.5 max-sm:gap-0"
    >
      <IconButton
        label={items.clearSelection}
        shortcut="Esc"
        size="sm"
        onPress={() => {
          send({ type: 'clear' });
          setSelecting(false);
        }}
      >
        <X {...ICON} />
      </IconButton>
      <span className="tabular min-w-0 truncate pr-2 font-medium max-sm:flex-1">
        {items.selected(chosen.length)}
        <span className="max-md:hidden">{bytes > 0 && ` · ${formatBytes(bytes)}`}</span>
      </span>
      <Button
        variant="quiet"
        size="sm"
        isDisabled={none}
        icon={<ArchiveRestore {...ICON} />}
        onPress={() => void actions.restore(chosen)}
      >
        {t.restore}
      </Button>
      <Button
        data-needs="documents.write"
        variant="quiet"
        size="sm"
        isDisabled={none}
        icon={<FolderInput {...ICON} />}
        onPress={() => onRestoreTo(chosen)}
        className="max-md:hidden!"
      >
        {t.restoreTo}
      </Button>
      <IconButton
        data-needs="documents.write"
        label={t.restoreTo}
        size="sm"
        isDisabled={none}
        onPress={() => onRestoreTo(chosen)}
        className="md:hidden!"
      >
        <FolderInput {...ICON} />
      </IconButton>
      <Button
        variant="danger-quiet"
        size="sm"
        isDisabled={none}
        icon={<Trash2 {...ICON} />}
        onPress={() => void actions.deleteForever(chosen)}
        className="max-md:hidden!"
      >
        {t.deleteForever}
      </Button>
      <IconButton
        label={t.deleteForever}
        size="sm"
        variant="danger-quiet"
        isDisabled={none}
        onPress={() => void actions.deleteForever(chosen)}
        className="md:hidden!"
      >
        <Trash2 {...ICON} />
      </IconButton>
      {/* Toasts come over this end, so it has nothing that anybody waits for. */}
      <Button
        variant="quiet"
        size="sm"
        icon={rest?.stop && <Spinner size={14} />}
        onPress={
          rest
            ? (rest.stop ?? rest.select)
            : () => send(all ? { type: 'clear' } : { type: 'all', order: rows.order })
        }
        className="ml-auto max-sm:hidden!"
      >
        {rest?.stop ? (
          items.stop
        ) : rest ? (
          <>
            <span className="lg:hidden">{texts.short(most)}</span>
            <span className="max-lg:hidden">{texts.long(most)}</span>
          </>
        ) : all ? (
          items.selectNone
        ) : (
          items.selectAll
        )}
      </Button>
    </div>
  );
}
