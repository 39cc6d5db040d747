import type { ReactNode } from 'react';
import { ListChecks, ListX, X } from 'lucide-react';
import type { Permission } from '#server/permissions.ts';
import * as t from '#messages/items.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Spinner } from '../../components/Spinner.tsx';
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
