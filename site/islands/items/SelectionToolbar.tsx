import type { ReactNode } from 'react';
import { ListChecks, ListX, X } from 'lucide-react';
import type { Permission } from '#server/permissions.ts';
import * as t from '#messages/items.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import { useItemList } from './ItemListModel.ts';

const ICON = { size: 16, 'aria-hidden': true } as const;

/** Replaces a list's filter bar while items are selected. */
export function SelectionToolbar({ children }: { children: ReactNode }) {
  const { send, setSelecting } = useItemList();
  return (
    <div
      role="toolbar"
      aria-label={t.selection}
      className="flex min-h-9 w-full items-center gap-1 rounded-md border border-accent-line bg-accent-soft px-1.5 max-sm:gap-0"
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
        <X {...ICON} />
      </IconButton>
      {children}
    </div>
  );
}

/** `3 selected`; of a list that is only partly loaded all that are loaded: `100 of 1,240 selected`. */
export function useSelectedCount(): string {
  const { chosen, rows, selection } = useItemList();
  return rows.rest && selection.whole
    ? t.selectedLoaded(chosen.length, rows.rest.total)
    : t.selected(chosen.length);
}

/** The number of selected items, and their total size. */
export function SelectionCount({ size, className }: { size: string; className: string }) {
  const { chosen, rows } = useItemList();
  const text = useSelectedCount();
  return (
    <span className={cx('tabular min-w-0 truncate font-medium', className)}>
      {/* Beside the number of all, a phone has room only for that of the selected ones. */}
      {rows.rest && <span className="sm:hidden">{formatCount(chosen.length)}</span>}
      <span className={rows.rest && 'max-sm:hidden'}>
        {text}
        <span className={rows.rest ? 'max-lg:hidden' : 'max-sm:hidden'}>{size}</span>
      </span>
    </span>
  );
}

/** Selects all loaded items, then also the rest, then none. One button in every state, so that it keeps the focus. */
export function SelectAllButton({ className }: { className?: string }) {
  const { chosen, rows, send } = useItemList();
  const { rest } = rows;
  const all = chosen.length > 0 && chosen.length === rows.order.length;
  const select = () => send(all ? { type: 'clear' } : { type: 'all', order: rows.order });
  return (
    <Button
      variant="quiet"
      size="sm"
      icon={rest?.stop && <Spinner size={14} />}
      onPress={rest ? (rest.stop ?? rest.select) : select}
      {...(className && { className })}
    >
      {rest?.stop ? (
        t.stop
      ) : rest ? (
        rest.text
      ) : (
        <>
          {/* A phone has room only for an icon. */}
          {all ? <ListX {...ICON} className="sm:hidden" /> : <ListChecks {...ICON} className="sm:hidden" />}
          <span className="max-sm:sr-only">{all ? t.selectNone : t.selectAll}</span>
        </>
      )}
    </Button>
  );
}

const LABEL_FROM = {
  md: { button: 'max-md:hidden!', icon: 'md:hidden!' },
  lg: { button: 'max-lg:hidden!', icon: 'lg:hidden!' },
};

export interface SelectionActionProps {
  label: string;
  /** The permission required to see the button. */
  'data-needs'?: Permission;
  icon: ReactNode;
  danger?: boolean;
  /** The narrowest screen that has room for the label. */
  labelFrom?: keyof typeof LABEL_FROM;
  isDisabled: boolean;
  onPress: () => void;
}

/** A button with a label on wide screens, and only an icon on narrow ones. */
export function SelectionAction({
  label,
  icon,
  danger = false,
  labelFrom = 'lg',
  ...props
}: SelectionActionProps) {
  const className = LABEL_FROM[labelFrom];
  const shared = { ...props, variant: danger ? 'danger-quiet' : 'quiet', size: 'sm' } as const;
  return (
    <>
      <Button {...shared} icon={icon} className={className.button}>
        {label}
      </Button>
      <IconButton {...shared} label={label} className={className.icon}>
        {icon}
      </IconButton>
    </>
  );
}
