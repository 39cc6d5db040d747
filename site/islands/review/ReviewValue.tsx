import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import type { FieldView } from '#server/fields/contract.ts';
import { VALUE_MAX } from '#server/fields/contract.ts';
import { DOCUMENT_TYPES, TYPE_GROUPS } from '#server/recognition/contract.ts';
import * as common from '#messages/common.ts';
import { cleared, clearValue, failedCheck, type as typeName, typeGroups } from '#messages/fields.ts';
import * as t from '#messages/review.ts';
import { Button } from '../../components/Button.tsx';
import { inputBox } from '../../components/field.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { SavedNow } from '../../components/SavedNow.tsx';
import { TextField } from '../../components/TextField.tsx';
import { draftOf, dropDraft, keepDraft, valueDraft } from '../../lib/drafts.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { formatValue, nameOfField, nameOfType } from '../../lib/fieldValues.ts';
import { Crop, hasCrop } from './Crop.tsx';
import { isUndo } from '../../lib/undoKey.ts';
import type { Entry } from './entries.ts';
import { writtenValueOf } from './entries.ts';
import { SourceLine } from './SourceLine.tsx';
import type { Fault } from './useAnswers.ts';

export interface ReviewValueProps {
  entry: Entry;
  /** Why the last answer was refused. */
  fault: Fault | null;
  /** Whether the typed value is being saved. */
  busy: boolean;
  /** The answer that was given before the user came back; null for none. */
  previousAnswer: string | null;
  onConfirm: () => void;
  onCorrect: (typed: string) => void;
  onClear: () => void;
  onLater: () => void;
  onBack: () => void;
  /** Takes the last answer back. */
  onUndo: () => void;
}

const IS_TYPE = 'type';

function textOf({ id, kind, key, value }: FieldView): string {
  if (value === null) return cleared;
  return id === IS_TYPE ? nameOfType(value) : formatValue(kind, value, key);
}

/** A value beside its place on the page. Enter confirms or saves it, ↓ skips it. */
export function ReviewValue({
  entry,
  fault,
  busy,
  previousAnswer,
  onConfirm,
  onCorrect,
  onClear,
  onLater,
  onBack,
  onUndo,
}: ReviewValueProps) {
  const { document, field } = entry;
  const { item, type } = document;
  const isType = field.id === IS_TYPE;
  const start = writtenValueOf(entry);
  const draftKey = valueDraft(item.id, field.id);
  const [isTyped, setTyped] = useState(false);
  const [text, setText] = useState(() => draftOf(draftKey)?.text ?? previousAnswer ?? start);
  /** The error that was shown before the user typed on. */
  const [readFault, setReadFault] = useState<Fault | null>(null);
  const error = fault === readFault ? undefined : fault?.message;
  const name = isType ? typeName : nameOfField(field);
  const same = text.trim() === start.trim();
  const [shown, setShown] = useState(!hasCrop({ item, field }));
  // A value cannot be confirmed before its place on the page is shown.
  const mustWait = !shown && same;
  const submit = () => {
    if (mustWait || busy) return;
    if (same) onConfirm();
    else if (text.trim() === '') onClear();
    else onCorrect(text);
  };
  const save = fault?.now ? common.saveAllTheSame : common.save;
  // What the check found is about the value as read, and no longer about an answer.
  const suggested = text === field.suggested ? null : field.suggested;
  const applySuggestion = () => {
    if (suggested === null || busy) return;
    change(suggested);
    onCorrect(suggested);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // In a field that was typed into, the key takes the typed text back.
    if (isUndo(event) && !isTyped) {
      event.preventDefault();
      event.stopPropagation();
      return event.repeat ? undefined : onUndo();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const actions: Record<string, () => void> = {
      Enter: submit,
      PageDown: onLater,
      PageUp: onBack,
      Escape: () => {
        change(start);
      },
      ...(suggested !== null && { F2: applySuggestion }),
      // In the list of types the arrow keys select an option.
      ...(!isType && { ArrowDown: onLater, ArrowUp: onBack }),
    };
    const action = actions[key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  const change = (next: string) => {
    setText(next);
    setTyped(true);
    setReadFault(fault);
    if (next === start || next === previousAnswer) dropDraft(draftKey);
    else keepDraft(draftKey, { text: next, seen: field.value, ...(!isType && { value: { name, item } }) });
  };

  return (
    <article aria-label={name} className="review-value">
      <header className="flex min-h-10 min-w-0 items-center gap-2.5">
        <FileGlyph fileType={item.file_type} size={20} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{item.name}</p>
          <p className="truncate text-sm text-muted">
            {[type.id === field.id ? '' : nameOfType(type.value), item.client_name ?? '', item.path ?? '']
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <a
          href={driveHref({
            folderId: item.parent_id,
            previewId: item.id,
            textMatch: { page: field.page ?? 1, words: [] },
          })}
          className="shrink-0 text-sm text-accent-text hover:underline"
        >
          {t.openDocument}
        </a>
      </header>
      {hasCrop({ item, field }) ? (
        <Crop item={item} field={field} onEnd={() => setShown(true)} />
      ) : (
        <SourceLine item={item} field={field} />
      )}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-60 flex-1">
          {isType ? (
            <label className="flex flex-col gap-1.5">
              <span className="text-sm font-medium">{typeName}</span>
              <select
                value={text}
                onChange={(event) => change(event.target.value)}
                onKeyDown={onKeyDown}
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- this screen is gone through by keyboard
                autoFocus
                className={inputBox('lg')}
              >
                {TYPE_GROUPS.map((group) => (
                  <optgroup key={group} label={typeGroups[group]}>
                    {Object.entries(DOCUMENT_TYPES)
                      .filter(([, of]) => of.group === group)
                      .map(([id]) => (
                        <option key={id} value={id}>
                          {nameOfType(id)}
                        </option>
                      ))}
                  </optgroup>
                ))}
              </select>
              {error && <span className="text-sm text-danger-text">{error}</span>}
            </label>
          ) : (
            <TextField
              label={name}
              value={text}
              onChange={change}
              onKeyDown={onKeyDown}
              maxLength={VALUE_MAX}
              size="lg"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- this screen is gone through by keyboard
              autoFocus
              onFocus={(event) => (event.target as HTMLInputElement).select?.()}
              error={error}
              description={same && field.check === 'failed' ? failedCheck : field.raw && t.readAs(field.raw)}
              inputClassName={field.kind === 'identifier' ? 'font-mono' : 'tabular'}
            />
          )}
        </div>
        <div className={`flex gap-2 ${isType && !error ? '' : 'pb-6'}`}>
          <Button variant="primary" size="lg" isDisabled={mustWait} busy={busy} onPress={submit}>
            {same ? t.confirm : text.trim() === '' ? clearValue : save}
          </Button>
          <Button size="lg" onPress={onLater}>
            {t.later}
          </Button>
        </div>
      </div>
      {fault?.now && <SavedNow text={textOf(fault.now)} />}
      {suggested !== null && (
        <p className="flex flex-wrap items-center gap-2">
          {t.didYouMean(suggested)}
          <Button onPress={applySuggestion}>{t.applySuggestion}</Button>
        </p>
      )}
      {previousAnswer !== null && <p className="text-sm text-muted">{t.alreadyAnswered}</p>}
      <p className="text-sm text-muted pointer-coarse:hidden">{isType ? t.typeKeysHelp : t.keysHelp}</p>
    </article>
  );
}
