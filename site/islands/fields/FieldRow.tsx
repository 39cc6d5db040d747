import type { Key } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Check, CircleAlert, Copy, EllipsisVertical, Eraser, Pencil, Undo2, UserCheck } from 'lucide-react';
import type { FieldChange, FieldView } from '#server/fields/contract.ts';
import * as t from '#messages/fields.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../components/Menu.tsx';
import { copyText } from '../../lib/copyText.ts';
import { cx } from '../../lib/cx.ts';
import { toast } from '../../lib/toast.ts';
import { formatValue, nameOfField } from '../../lib/fieldValues.ts';
import { ValueField, hasDraft } from './ValueField.tsx';

export interface FieldRowProps {
  /** The document that has the value. */
  item: { id: number; name: string };
  field: FieldView;
  mayAnswer: boolean;
  /** Rejects if it was not saved. */
  onAnswer: (change: FieldChange) => Promise<unknown>;
  /** Highlights the value's region; null if it has none. */
  onShow: (() => void) | null;
}

const ICON = { size: 14, 'aria-hidden': true } as const;

const copy = async (text: string) =>
  (await copyText(text)) ? toast.success(t.copied) : toast.error(t.copyFailed);

/** One value: name, text, who confirmed it, and its actions. */
export function FieldRow({ item, field, mayAnswer, onAnswer, onShow }: FieldRowProps) {
  const { id, key, kind, value, page, answer, unsure } = field;
  const name = nameOfField(field);
  const [editing, setEditing] = useState(() => mayAnswer && hasDraft(item.id, id));
  const [busy, setBusy] = useState(false);
  const menu = useRef<HTMLButtonElement>(null);
  /** The tooltip would cover who corrected the value, which is read after saving. */
  const [noTip, setNoTip] = useState(false);
  // As soon as it has taken the place of the field, before the lost focus goes elsewhere.
  useLayoutEffect(() => {
    if (noTip) menu.current?.focus();
  }, [noTip]);
  const noValue = answer?.what === 'cleared' ? t.cleared : t.notFound;
  const shown = value === null ? noValue : formatValue(kind, value, key);

  async function say(change: Omit<FieldChange, 'id'>) {
    setBusy(true);
    // The caller has reported the error.
    await onAnswer({ id, seen: value, ...change }).catch(() => {});
    setBusy(false);
  }
  const act = (action: Key) => {
    if (action === 'correct') setEditing(true);
    if (action === 'confirm') void say({ answer: 'confirmed' });
    if (action === 'clear') void say({ answer: 'cleared' });
    if (action === 'back') void say({ answer: null });
    if (action === 'copy') void copy(value ?? '');
  };

  if (editing)
    return (
      <li className="py-1.5">
        <ValueField
          item={item}
          field={field}
          onSave={(written, seen) => onAnswer({ id, answer: 'corrected', value: written, seen })}
          onClose={() => {
            setEditing(false);
            setNoTip(true);
          }}
        />
      </li>
    );
  const text = (
    <span
      dir="auto"
      className={cx(
        'tabular break-words',
        kind === 'identifier' && 'font-mono text-sm',
        value === null && 'text-muted italic',
      )}
    >
      {shown}
    </span>
  );
  return (
    <li className="group/field flex items-start gap-1 py-0.5" aria-busy={busy}>
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-2 py-1">
        <span className="w-30 shrink-0 pt-px text-sm text-muted">{name}</span>
        <span className="min-w-0 flex-1 basis-32">
          {onShow && page !== null ? (
            <button
              type="button"
              aria-label={`${shown}. ${t.showOnPage(name, page)}`}
              title={t.showOnPage(name, page)}
              className="-mx-1 rounded-sm px-1 text-left hover:bg-hover"
              onClick={onShow}
            >
              {text}
            </button>
          ) : (
            text
          )}
          <Mark field={field} />
        </span>
      </div>
      {mayAnswer && unsure && (
        <IconButton label={t.confirmValue} size="sm" isDisabled={busy} onPress={() => act('confirm')}>
          <Check {...ICON} size={16} />
        </IconButton>
      )}
      {(mayAnswer || value !== null) && (
        <MenuTrigger>
          <IconButton
            ref={menu}
            label={t.actionsFor(name)}
            size="sm"
            isDisabled={busy}
            noTip={noTip}
            onBlur={() => setNoTip(false)}
          >
            <EllipsisVertical {...ICON} size={16} />
          </IconButton>
          <Menu placement="bottom end" onAction={act}>
            {mayAnswer && (
              <MenuItem id="correct" icon={<Pencil {...ICON} />}>
                {t.correct}
              </MenuItem>
            )}
            {mayAnswer && value !== null && answer === null && (
              <MenuItem id="confirm" icon={<Check {...ICON} />}>
                {t.confirmValue}
              </MenuItem>
            )}
            {mayAnswer && value !== null && (
              <MenuItem id="clear" icon={<Eraser {...ICON} />}>
                {t.clearValue}
              </MenuItem>
            )}
            {mayAnswer && answer !== null && (
              <MenuItem id="back" icon={<Undo2 {...ICON} />}>
                {t.backToRead}
              </MenuItem>
            )}
            {value !== null && (
              <MenuItem id="copy" icon={<Copy {...ICON} />}>
                {t.copy}
              </MenuItem>
            )}
          </Menu>
        </MenuTrigger>
      )}
    </li>
  );
}

const SAID = { corrected: t.correctedBy, confirmed: t.confirmedBy, cleared: t.clearedBy };

/** The badge of a value: who answered it, or that it needs a check. */
export function Mark({ field: { answer, unsure, check, kind, key, read, value } }: { field: FieldView }) {
  if (answer) {
    const differs = read !== null && read !== value;
    return (
      <span className="flex items-center gap-1 text-xs text-muted">
        <UserCheck aria-hidden size={12} className="shrink-0 text-success-text" />
        <span>
          {SAID[answer.what](answer.by)}
          {differs && ` · ${t.readValue(formatValue(kind, read, key))}`}
        </span>
      </span>
    );
  }
  if (!unsure) return null;
  return (
    <span className="flex items-center gap-1 text-xs text-warning-text">
      <CircleAlert aria-hidden size={12} />
      {check === 'failed' ? t.failedCheck : t.unsure}
    </span>
  );
}
