import type { ContextType, Ref } from 'react';
import { useContext, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { ChevronsUpDown, X } from 'lucide-react';
import {
  Button,
  ComboBox,
  ComboBoxStateContext,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components/ComboBox';
import type { ClientHit, ClientPage } from '#server/clients/contract.ts';
import * as common from '#messages/common.ts';
import { api } from '../lib/api.ts';
import { cx } from '../lib/cx.ts';
import { isFocusedQuietly } from '../lib/quietFocus.ts';
import { useDebouncedQuery } from '../lib/useDebouncedQuery.ts';
import { FieldLabel, FieldNote, inputBox } from './field.tsx';
import { MiddleCut } from './MiddleCut.tsx';
import { SelectFirstOnEnter } from './SelectFirstOnEnter.tsx';
import { menuPopover } from './Menu.tsx';

export interface Choice {
  id: string;
  label: string;
  /** Distinguishes clients with the same name, e.g. PAN and city. */
  note?: string;
}

export interface ClientPickerProps {
  label: string;
  hideLabel?: boolean;
  placeholder?: string;
  /** For a filter: the placeholder names what is shown without a selection, so it looks like a selection. */
  filters?: boolean;
  /** The selected client; null for none. */
  value: Choice | null;
  onChange: (choice: Choice | null) => void;
  /** Options besides the clients, such as "No Client". */
  extraOptions?: readonly Choice[];
  description?: string | undefined;
  error?: string | undefined;
  /** Clears the field after a selection, for selecting several clients one after the other. */
  clearsOnSelect?: boolean;
  /** Called with what is typed and not selected; it then stays when the field is left, so that the form can ask about it. */
  onTyped?: (text: string) => void;
  className?: string;
}

const DEBOUNCE_MS = 150;
const MAX_OPTIONS = 30;
async function findClients(search: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { search, limit: MAX_OPTIONS };
  const clients =
    search === ''
      ? (await api.get<ClientPage>('/api/clients', { query, signal })).data.map(({ pan, ...client }) => ({
          ...client,
          found_in: pan,
        }))
      : await api.get<ClientHit[]>('/api/clients/look-up', { query, signal });
  return clients.map(({ id, name, city, found_in }) => ({
    id: String(id),
    label: name,
    note: [found_in, city].filter(Boolean).join(' · '),
  }));
}

const matches = ({ label, note = '' }: Choice, search: string): boolean => {
  const text = `${label} ${note}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

type State = NonNullable<ContextType<typeof ComboBoxStateContext>>;

function StateHandle({ ref }: { ref: Ref<State> }) {
  const state = useContext(ComboBoxStateContext)!;
  useImperativeHandle(ref, () => state);
  return null;
}

/** A combo box that searches clients on the server by name, phone or a number such as a PAN. */
export function ClientPicker({
  label,
  hideLabel = false,
  placeholder,
  filters = false,
  value,
  onChange,
  extraOptions = [],
  description,
  error,
  clearsOnSelect = false,
  onTyped,
  className,
}: ClientPickerProps) {
  const [text, showText] = useState(value?.label ?? '');
  /** What was typed before the list closed and took it away, and whether the field is being left. */
  const typed = useRef({ text: '', leaving: false });
  const setText = (next: string) => {
    showText(next);
    onTyped?.(next.trim());
  };
  const [open, setOpen] = useState(false);
  const state = useRef<State | null>(null);
  const chosen = value?.label ?? '';
  const input = useRef<HTMLInputElement>(null);
  const [isCut, setCut] = useState(false);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = input.current ?? {};
    // oxlint-disable-next-line react/set-state-in-effect -- measures what is drawn
    setCut(chosen !== '' && text === chosen && scrollWidth > clientWidth);
  }, [text, chosen]);
  const [shown, setShown] = useState(chosen);
  if (shown !== chosen) {
    setShown(chosen);
    showText(chosen);
  }

  const search = text === chosen ? '' : text.trim();
  const { data = [], pending } = useDebouncedQuery(search, {
    name: 'clients',
    load: findClients,
    debounceMs: DEBOUNCE_MS,
    enabled: () => open,
  });

  // While a search is pending, `data` is the previous result: keep only its clients that match the new text.
  const found = pending ? data.filter((client) => matches(client, search)) : data;
  // Enter chooses the first option: "client" is not meant for "No Client".
  const [extraFirst, extraLast] = [0, 1].map((inside) =>
    extraOptions.filter(({ label }) => {
      const at = label.toLowerCase().indexOf(search.toLowerCase());
      return inside === 0 ? at === 0 : at > 0;
    }),
  );
  const items = [...extraFirst!, ...found, ...extraLast!];
  const select = (choice: Choice | undefined) => {
    if (choice) onChange(choice);
    else if (onTyped && typed.current.leaving) return;
    // Esc calls this without a choice and restores the selected client's name.
    setText(choice && !clearsOnSelect ? choice.label : chosen);
    // Clearing a text would open the list again, over the fields below.
    if (choice && clearsOnSelect) state.current?.revert();
    // Last, since `revert` calls this again without a choice.
    typed.current.text = choice ? '' : text;
  };
  return (
    <ComboBox
      items={items}
      inputValue={text}
      onInputChange={(next) => {
        typed.current.text = '';
        setText(next);
      }}
      value={value?.id ?? null}
      onChange={(key) => select(items.find(({ id }) => id === key))}
      onOpenChange={(next) => {
        setOpen(next);
        // That of the combo box is too small if it was measured while a dialog grew.
        setWidth(input.current?.offsetWidth ?? 0);
      }}
      onBlur={() => {
        typed.current.leaving = true;
        setText(onTyped ? text || typed.current.text : chosen);
      }}
      allowsEmptyCollection
      validationBehavior="aria"
      isInvalid={error !== undefined}
      onKeyDown={({ key }) => {
        if (key === 'Escape') typed.current.text = '';
      }}
      onFocus={() => {
        typed.current.leaving = false;
        if (!isFocusedQuietly()) state.current?.open(null, 'focus');
      }}
      className={cx('flex flex-col gap-1.5', className)}
    >
      <FieldLabel hidden={hideLabel}>{label}</FieldLabel>
      <SelectFirstOnEnter search={search} first={pending ? undefined : (items[0] ?? null)}>
        <Input
          ref={input}
          {...(chosen !== '' && { title: chosen })}
          {...(placeholder !== undefined && { placeholder })}
          className={inputBox(
            'md',
            cx('truncate pr-8 pointer-coarse:pr-12', filters && 'not-focus:placeholder:text-text'),
          )}
        />
        {value ? (
          <button
            type="button"
            // Not between the field and the dialog's buttons where the list offers "No Client" to the keyboard.
            {...(!filters && extraOptions.length > 0 && { tabIndex: -1 })}
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
      <StateHandle ref={state} />
      {/* The field alone cannot tell clients apart whose names begin alike. Readers get its whole value. */}
      {isCut && !hideLabel && (
        <p aria-hidden className="text-sm break-words">
          {chosen}
        </p>
      )}
      <FieldNote error={error} description={description} />
      <Popover
        offset={4}
        className={menuPopover}
        style={{ width: `max(${width}px, 20rem)`, maxWidth: 'calc(100vw - 1rem)' }}
      >
        <ListBox<Choice>
          className="max-h-80 overflow-auto outline-none"
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
              <span className="flex min-w-0 flex-1">
                <MiddleCut text={name} />
              </span>
              {note && <span className="tabular max-w-36 truncate text-xs text-muted">{note}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
