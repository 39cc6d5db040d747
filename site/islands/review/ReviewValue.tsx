import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { VALUE_MAX } from '#server/fields/contract.ts';
import { DOCUMENT_TYPES, TYPE_GROUPS } from '#server/recognition/contract.ts';
import * as common from '#messages/common.ts';
import { clearValue, failedCheck, type as typeName, typeGroups } from '#messages/fields.ts';
import * as t from '#messages/review.ts';
import { Button } from '../../components/Button.tsx';
import { inputBox } from '../../components/field.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { TextField } from '../../components/TextField.tsx';
import { driveHref } from '../../lib/driveLocation.ts';
import { nameOfField, nameOfType } from '../../lib/fieldValues.ts';
import { Crop, hasCrop } from './Crop.tsx';
import type { Entry } from './entries.ts';
import { writtenOf } from './entries.ts';
import { LineOf } from './LineOf.tsx';

export interface ReviewValueProps {
  entry: Entry;
  /** Why what was said of it was not kept, and what was typed. */
  fault: { message: string; typed: string } | null;
  /** What was said of it before one came back; null for nothing. */
  said: string | null;
  onRight: () => void;
  onCorrect: (typed: string) => void;
  onClear: () => void;
  onLater: () => void;
  onBack: () => void;
}

const IS_TYPE = 'type';

/** One value beside the place on the page. Enter keeps it, typing corrects it, Tab or ↓ leaves it for later. */
export function ReviewValue({
  entry,
  fault,
  said,
  onRight,
  onCorrect,
  onClear,
  onLater,
  onBack,
}: ReviewValueProps) {
  const { document, field } = entry;
  const { item, type } = document;
  const isType = field.id === IS_TYPE;
  const start = writtenOf(entry);
  const [text, setText] = useState(fault?.typed || (said ?? start));
  const [error, setError] = useState(fault?.message);
  const name = isType ? typeName : nameOfField(field);
  const same = text.trim() === start.trim();
  const [looked, setLooked] = useState(!hasCrop({ item, field }));
  // Nobody confirms what has not been shown yet.
  const held = !looked && same;
  const keep = () => {
    if (held) return;
    if (same) onRight();
    else if (text.trim() === '') onClear();
    else onCorrect(text);
  };
  const { suggested } = field;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    const act: Record<string, () => void> = {
      Enter: keep,
      Tab: shiftKey ? onBack : onLater,
      Escape: () => {
        setText(start);
        setError(undefined);
      },
      ...(suggested !== null && { F2: () => onCorrect(suggested) }),
      // In a list of types the arrows choose one.
      ...(!isType && { ArrowDown: onLater, ArrowUp: onBack }),
    };
    const does = act[key];
    if (!does) return;
    event.preventDefault();
    event.stopPropagation();
    does();
  };
  const change = (next: string) => {
    setText(next);
    setError(undefined);
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
        <Crop item={item} field={field} onEnd={() => setLooked(true)} />
      ) : (
        <LineOf item={item} field={field} />
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
              description={field.check === 'failed' ? failedCheck : field.raw && t.readAs(field.raw)}
              inputClassName={field.kind === 'identifier' ? 'font-mono' : 'tabular'}
            />
          )}
        </div>
        <div className={`flex gap-2 ${isType && !error ? '' : 'pb-6'}`}>
          <Button variant="primary" size="lg" isDisabled={held} onPress={keep}>
            {same ? t.right : text.trim() === '' ? clearValue : common.save}
          </Button>
          <Button size="lg" onPress={onLater}>
            {t.later}
          </Button>
        </div>
      </div>
      {suggested !== null && (
        <p className="flex flex-wrap items-center gap-2">
          {t.meant(suggested)}
          <Button onPress={() => onCorrect(suggested)}>{t.takeMeant}</Button>
        </p>
      )}
      {said !== null && <p className="text-sm text-muted">{t.said}</p>}
      <p className="text-sm text-muted pointer-coarse:hidden">{t.keysHelp}</p>
    </article>
  );
}
