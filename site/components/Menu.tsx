import type { ReactNode } from 'react';
import type {
  MenuItemProps as AriaMenuItemProps,
  MenuProps as AriaMenuProps,
  MenuSectionProps as AriaMenuSectionProps,
  PopoverProps,
} from 'react-aria-components/Menu';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  Header,
  Popover,
  Separator,
} from 'react-aria-components/Menu';
import { Check } from 'lucide-react';
import { cx } from '../lib/cx.ts';

export { MenuTrigger } from 'react-aria-components/Menu';

export const menuPopover =
  'min-w-48 max-w-80 overflow-auto rounded-md bg-raised p-1 shadow-menu outline-none data-[entering]:animate-appear';

export interface MenuProps<T extends object> extends Omit<AriaMenuProps<T>, 'className' | 'style'> {
  placement?: PopoverProps['placement'];
}

/** The popover of a MenuTrigger. Needs `aria-label` only when the trigger has no accessible name. */
export function Menu<T extends object>({ placement = 'bottom start', ...props }: MenuProps<T>) {
  return (
    <Popover placement={placement} offset={4} className={menuPopover}>
      <AriaMenu {...props} className="outline-none" />
    </Popover>
  );
}

export interface MenuItemProps extends Omit<AriaMenuItemProps, 'className' | 'children'> {
  children: ReactNode;
  icon?: ReactNode;
  /** The keyboard shortcut, shown at the end. */
  shortcut?: string;
  danger?: boolean;
  /** Why the item is disabled, shown below it. */
  why?: string | undefined;
}

export function MenuItem({
  children,
  icon,
  shortcut,
  danger = false,
  why,
  textValue,
  ...props
}: MenuItemProps) {
  const text = textValue ?? (typeof children === 'string' ? children : undefined);
  return (
    <AriaMenuItem
      // A menu that puts another item in this one's place while it is open or closing, as Reopen for Close, would fail otherwise: the
      // id of an item cannot change.
      key={props.id}
      {...props}
      {...(text !== undefined && { textValue: text })}
      className={cx(
        'flex min-h-8 cursor-default items-center gap-2.5 rounded-sm px-2 text-base no-underline outline-none select-none',
        'pointer-coarse:min-h-11 data-[disabled]:text-disabled',
        danger
          ? 'text-danger-text data-[focused]:bg-danger-soft'
          : 'text-text data-[focused]:bg-accent-soft data-[focused]:text-accent-text',
      )}
    >
      {({ selectionMode, isSelected }) => (
        <>
          {selectionMode !== 'none' && !icon && (
            <span className="flex w-4 shrink-0 justify-center">
              {isSelected && <Check aria-hidden size={16} />}
            </span>
          )}
          {icon && <span className="flex w-4 shrink-0 justify-center opacity-80">{icon}</span>}
          {why === undefined ? (
            <span className="min-w-0 flex-1 truncate">{children}</span>
          ) : (
            <span className="min-w-0 flex-1 py-1.5">
              {children}
              <span className="block text-sm text-muted">{why}</span>
            </span>
          )}
          {/* At the end, so that the icons of all items are below each other. */}
          {isSelected && icon && <Check aria-hidden size={16} className="shrink-0" />}
          {shortcut && (
            <kbd className="pl-4 font-sans text-xs text-muted pointer-coarse:hidden">{shortcut}</kbd>
          )}
        </>
      )}
    </AriaMenuItem>
  );
}

export const MenuSeparator = () => <Separator className="mx-1 my-1 h-px border-0 bg-line" />;

export interface MenuSectionProps extends Omit<
  AriaMenuSectionProps<object>,
  'className' | 'style' | 'children'
> {
  title: string;
  children: ReactNode;
}

/** A titled group of items; with `selectionMode` the items can be checked. */
export function MenuSection({ title, children, ...props }: MenuSectionProps) {
  return (
    <AriaMenuSection {...props}>
      <Header className="px-2 pt-1.5 pb-1 text-xs font-medium text-muted">{title}</Header>
      {children}
    </AriaMenuSection>
  );
}
