import { useEffect, useState } from 'react';
import { Download, FolderInput, ListChecks, ListX, Trash2, UserRound, X } from 'lucide-react';
import type { Permission } from '#server/actor.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { MOST_AT_ONCE } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { formatCount } from '../../lib/format.ts';
import type { Rest } from './ItemListModel.ts';
import { useItemList, useItemScreen } from './ItemListModel.ts';

/** `3 selected`, and the size of the files; folders have none of their own. Of a list that is not all there, it says so. */
function useSelectionText() {
  const { chosen, rows } = useItemList();
  const loaded = Boolean(rows.rest) && chosen.length === rows.order.length;
  const bytes = chosen.reduce((total, item) => total + (item.file_size ?? 0), 0);
  return {
    text: loaded ? t.selectedLoaded(chosen.length) : t.selected(chosen.length),
    loaded,
    size: bytes > 0 ? ` · ${formatBytes(bytes)}` : '',
  };
}

export function BulkBar() {
  const { chosen, send, setSelecting, rows, ask, actions } = useItemScreen();
  const { text, loaded, size } = useSelectionText();
  const { rest } = rows;
  const none = chosen.length === 0;
  const all = !none && chosen.length === rows.order.length;
  const icon = { size: 16, 'aria-hidden': true } as const;
  return (
    <div
      role="toolbar"
      aria-label={t.selection}
      className="flex min-h-9 w-full items-center gap-1 rounded-md max-sm:gap-0 border border-accent-line bg-accent-soft px-1.5"
    >
      <IconButton
        label={t.clearSelection}
        shortcut="Esc"
        size="sm"
        onPress={() => {
          send({ type: 'clear' });
          setSelecting(false);
        }}
      >
        <X {...icon} />
      </IconButton>
      <span className="tabular min-w-0 flex-1 truncate font-medium">
        {/* A phone has room for the number and for the way to all of them. */}
        {rest && <span className="sm:hidden">{formatCount(chosen.length)}</span>}
        <span className={rest && 'max-sm:hidden'}>
          {text}
          <span className={loaded ? 'max-lg:hidden' : 'max-sm:hidden'}>{size}</span>
        </span>
      </span>
      {/* One button in all its states: it must not take the focus away with it. */}
      <Button
        variant="quiet"
        size="sm"
        icon={rest?.stop && <Spinner size={14} />}
        onPress={
          rest
            ? (rest.stop ?? rest.select)
            : () => send(all ? { type: 'clear' } : { type: 'all', order: rows.order })
        }
      >
        {rest?.stop ? (
          t.stop
        ) : rest ? (
          <RestText {...rest} />
        ) : (
          <>
            {/* A phone has room for a sign. */}
            {all ? <ListX {...icon} className="sm:hidden" /> : <ListChecks {...icon} className="sm:hidden" />}
            <span className="max-sm:sr-only">{all ? t.selectNone : t.selectAll}</span>
          </>
        )}
      </Button>
      <span className="mx-1 h-5 w-px bg-accent-line max-sm:hidden" />
      <Labelled
        label={common.download}
        data-needs="documents.download"
        isDisabled={none}
        onPress={() => void actions.download(chosen)}
        icon={<Download {...icon} />}
      />
      <Labelled
        label={t.moveTo}
        data-needs="documents.write"
        isDisabled={none}
        onPress={() => ask({ dialog: 'move', items: chosen })}
        icon={<FolderInput {...icon} />}
      />
      {/* On small screens it is in the menu of what is selected. */}
      <Button
        data-needs="documents.write"
        variant="quiet"
        size="sm"
        isDisabled={none}
        onPress={() => ask({ dialog: 'client', items: chosen })}
        icon={<UserRound {...icon} />}
        className="max-lg:hidden!"
      >
        {t.changeClient}
      </Button>
      <Labelled
        label={common.remove}
        data-needs="documents.delete"
        danger
        isDisabled={none}
        onPress={() => void actions.remove(chosen)}
        icon={<Trash2 {...icon} />}
      />
    </div>
  );
}

/** `Select all 12,345 that match`, as far as one call can handle. */
function RestText({ total }: Rest) {
  const most = total === null ? null : Math.min(total, MOST_AT_ONCE);
  const texts = total !== null && total > MOST_AT_ONCE ? t.selectFirst : t.selectRest;
  return (
    <>
      <span className="lg:hidden">{texts.short(most)}</span>
      <span className="max-lg:hidden">{texts.long(most)}</span>
    </>
  );
}

interface LabelledProps {
  label: string;
  /** The permission without which it is not shown. */
  'data-needs': Permission;
  icon: React.ReactNode;
  danger?: boolean;
  isDisabled: boolean;
  onPress: () => void;
}

/** A button with its word, where there is room for it. */
function Labelled({ label, icon, danger = false, ...props }: LabelledProps) {
  return (
    <>
      <Button
        {...props}
        variant={danger ? 'danger-quiet' : 'quiet'}
        size="sm"
        icon={icon}
        className="max-md:hidden!"
      >
        {label}
      </Button>
      <IconButton
        {...props}
        label={label}
        size="sm"
        variant={danger ? 'danger-quiet' : 'quiet'}
        className="md:hidden!"
      >
        {icon}
      </IconButton>
    </>
  );
}

/** Tells readers what is selected, once it has stayed so for a moment. */
export function SelectionStatus() {
  const { chosen } = useItemList();
  const { text: words, size } = useSelectionText();
  const text = words + size;
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(chosen.length === 0 ? '' : text), 400);
    return () => clearTimeout(timer);
  }, [chosen.length, text]);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
