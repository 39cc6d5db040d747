import { useId } from 'react';
import type { Reminders } from '#server/requests/contract.ts';
import { DEFAULT_REMINDERS } from '#server/requests/contract.ts';
import type { Language } from '#server/text/language.ts';
import { LANGUAGES, LANGUAGE_NAMES } from '#server/text/language.ts';
import * as t from '#messages/requests.ts';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Select } from '../../components/Select.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import type { FieldMessages } from '../../lib/apiError.ts';
import { sendsEmail } from '../../lib/sendsEmail.ts';

export interface RequestFields {
  title: string;
  rows: string;
  note: string;
  due_on: string;
  language: Language;
  reminders: Reminders;
}

/** In the choice of languages. */
const OWN = 'own';

/** The fields that show the server's errors themselves. */
export const FIELDS_WITH_ERRORS = ['client_ids', 'rows', 'title', 'due_on'] as const;

/** The fields of a request, except for its recipients. */
export function Fields({
  fields,
  set,
  errors = {},
  today,
  own,
}: {
  /** The server's errors by field. */
  errors?: FieldMessages | undefined;
  fields: RequestFields;
  set: (part: Partial<RequestFields>) => void;
  /** Today as `2026-11-22`: the earliest due date. */
  today: string;
  /** For clients of several languages: whether each is written to in their own, and how to choose that. */
  own?: { isChosen: boolean; choose: () => void } | undefined;
}) {
  const { title, rows, note, due_on, language, reminders } = fields;
  const remind = (part: Partial<Reminders>) => set({ reminders: { ...reminders, ...part } });
  const noDay = due_on === '';
  const dueErrorId = useId();
  const dueError = errors['due_on']?.[0];
  return (
    <>
      <TextArea
        label={t.rows}
        name="rows"
        description={t.rowsHint}
        error={errors['rows']?.[0]}
        rows={7}
        value={rows}
        onChange={(value) => set({ rows: value })}
      />
      <TextField
        label={t.title}
        description={t.titleHint}
        name="title"
        error={errors['title']?.[0]}
        maxLength={120}
        value={title}
        onChange={(value) => set({ title: value })}
      />
      <div className="grid grid-cols-2 gap-4">
        <label className="flex flex-col gap-1.5">
          <span className="text-sm font-medium">{t.dueOn}</span>
          <input
            type="date"
            name="due_on"
            aria-invalid={dueError !== undefined}
            aria-describedby={dueError && dueErrorId}
            min={today}
            // Years of four digits, also while one is typed.
            max="2099-12-31"
            value={due_on}
            onChange={(event) => set({ due_on: event.target.value })}
            className="h-8 rounded-md border border-line-strong bg-surface px-2.5 aria-invalid:border-danger pointer-coarse:min-h-11"
          />
          {dueError && (
            <span id={dueErrorId} role="alert" className="text-xs font-medium text-danger-text">
              {dueError}
            </span>
          )}
        </label>
        <Select
          label={t.language}
          description={[
            !own?.isChosen && t.languageKept,
            (own?.isChosen || language !== 'en') && t.notTranslated,
          ]
            .filter(Boolean)
            .join(' ')}
          options={[
            ...(own ? [{ id: OWN, label: t.ownLanguages }] : []),
            ...LANGUAGES.map((id) => ({ id, label: LANGUAGE_NAMES[id] })),
          ]}
          value={own?.isChosen ? OWN : language}
          onChange={(key) => (key === OWN ? own?.choose() : set({ language: key as Language }))}
        />
      </div>
      <TextArea
        label={t.note}
        rows={2}
        maxLength={2000}
        value={note}
        onChange={(value) => set({ note: value })}
      />
      {sendsEmail() && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 text-sm font-medium">{t.reminders}</legend>
          <Checkbox
            isDisabled={noDay}
            isSelected={!noDay && reminders.before !== null}
            onChange={(on) => remind({ before: on ? DEFAULT_REMINDERS.before : null })}
          >
            {t.remindBefore}
          </Checkbox>
          <Checkbox isDisabled={noDay} isSelected={!noDay && reminders.on} onChange={(on) => remind({ on })}>
            {t.remindOn}
          </Checkbox>
          <Checkbox
            isDisabled={noDay}
            isSelected={!noDay && reminders.after !== null}
            onChange={(on) => remind({ after: on ? DEFAULT_REMINDERS.after : null })}
          >
            {t.remindAfter}
          </Checkbox>
          {noDay && <p className="text-sm text-muted">{t.remindNeedsDay}</p>}
        </fieldset>
      )}
    </>
  );
}
