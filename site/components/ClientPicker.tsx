import { useState } from 'react';
import { ChevronsUpDown, X } from 'lucide-react';
import { Button, ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox';
import type { ClientHit, ClientPage } from '#server/clients/contract.ts';
import * as common from '#messages/common.ts';
import { api } from '../lib/api.ts';
import { cx } from '../lib/cx.ts';
import { useLookUp } from '../lib/useLookUp.ts';
import { FieldLabel, FieldNote, inputBox } from './field.tsx';
import { SelectFirstOnEnter } from './SelectFirstOnEnter.tsx';
import { menuPopover } from './Menu.tsx';

export interface Choice {
  id: string;
  label: string;
  /** Tells two of one name apart. */
  note?: string;
}

export interface ClientPickerProps {
  label: string;
  hideLabel?: boolean;
  placeholder?: string;
  /** What is chosen now; null is nobody. */
  value: Choice | null;
  onChange: (choice: Choice | null) => void;
  /** Choices beside the clients, such as "No Client". */
  also?: readonly Choice[];
  description?: string | undefined;
  /** Where many are chosen, one after the other: the field is empty again for the next one. */
  empties?: boolean;
  className?: string;
}

const WAIT_MS = 150;
const SHOWN = 30;
/** What Enter would take looks it. */
const FIRST_MARKED =
  '[&:not(:has([data-focused]))>[role=option]:first-of-type]:bg-accent-soft [&:not(:has([data-focused]))>[role=option]:first-of-type]:text-accent-text';

async function findClients(search: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { search, limit: SHOWN };
  const clients =
    search === ''
      ? (await api.get<ClientPage>('/api/clients', { query, signal })).data.map(({ pan, ...one }) => ({
          ...one,
          found_in: pan,
        }))
      : await api.get<ClientHit[]>('/api/clients/look-up', { query, signal });
  return clients.map(({ id, name, city, found_in }) => ({
    id: String(id),
    label: name,
    note: [found_in, city].filter(Boolean).join(' · '),
  }));
}

const isLike = ({ label, note = '' }: Choice, asked: string): boolean => {
  const text = `${label} ${note}`.toLowerCase();
  return asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** Finds a client by typing a part of the name, the phone or a number; fit for thousands of them. */
export function ClientPicker({
  label,
  hideLabel = false,
  placeholder,
  value,
  onChange,
  also = [],
  description,
  empties = false,
  className,
}: ClientPickerProps) {
  const [text, setText] = useState(value?.label ?? '');
  const [open, setOpen] = useState(false);
  const chosen = value?.label ?? '';
  const [shown, setShown] = useState(chosen);
  if (shown !== chosen) {
    setShown(chosen);
    setText(chosen);
  }

  const asked = text === chosen ? '' : text.trim();
  const { data = [], pending } = useLookUp(asked, {
    of: 'clients',
    ask: findClients,
    wait: WAIT_MS,
    enabled: () => open,
  });

  // The answer before stands there until the next one comes: nobody may take a client from it that is not asked for.
  const found = pending ? data.filter((one) => isLike(one, asked)) : data;
  const items = [
    ...also.filter(({ label: one }) => one.toLowerCase().includes(asked.toLowerCase())),
    ...found,
  ];
  const take = (one: Choice | undefined) => {
    if (one) onChange(one);
    // Esc gives the typing up: what was chosen stands there again.
    setText(one && !empties ? one.label : chosen);
  };
  return (
    <ComboBox
      items={items}
      inputValue={text}
      onInputChange={setText}
      value={value?.id ?? null}
      onChange={(key) => take(items.find(({ id }) => id === key))}
      onOpenChange={setOpen}
      onBlur={() => setText(chosen)}
      allowsEmptyCollection
      menuTrigger="focus"
      className={cx('flex flex-col gap-1.5', className)}
    >
      <FieldLabel hidden={hideLabel}>{label}</FieldLabel>
      <SelectFirstOnEnter search={asked} first={pending ? undefined : (items[0] ?? null)} onSelect={take}>
        <Input
          {...(placeholder !== undefined && { placeholder })}
          className={inputBox('md', 'truncate pr-8 pointer-coarse:pr-12')}
        />
        {value ? (
          <button
            type="button"
            aria-label={common.clearField(label)}
            onClick={() => {
              setText('');
              onChange(null);
            }}
            className="absolute inset-y-0 right-1 my-auto flex size-6 items-center justify-center rounded-xs text-muted hover:bg-hover hover:text-text pointer-coarse:size-11"
          >
            <X aria-hidden size={14} />
          </button>
        ) : (
          <Button className="absolute inset-y-0 right-1 my-auto flex size-6 items-center justify-center rounded-xs text-muted">
            <ChevronsUpDown aria-hidden size={14} />
          </Button>
        )}
      </SelectFirstOnEnter>
      <FieldNote description={description} />
      <Popover offset={4} className={cx(menuPopover, 'w-[max(var(--trigger-width),16rem)]')}>
        <ListBox<Choice>
          className={cx('max-h-80 overflow-auto outline-none', asked !== '' && !pending && FIRST_MARKED)}
          renderEmptyState={() => (
            <p className="px-2 py-2 text-muted">{pending ? '…' : common.noClientsFound}</p>
          )}
        >
          {({ id, label: name, note }) => (
            <ListBoxItem
              id={id}
              textValue={name}
              className="flex min-h-8 cursor-default items-baseline gap-2 rounded-sm px-2 py-1.5 outline-none data-[focused]:bg-accent-soft data-[focused]:text-accent-text pointer-coarse:min-h-11"
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {note && <span className="tabular max-w-36 truncate text-xs text-muted">{note}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
