import { useState } from 'react';
import type { FieldChange, FieldsView, FieldView } from '#server/fields/contract.ts';
import type { FieldKey } from '#server/recognition/contract.ts';
import { DOCUMENT_TYPES, FIELD_KINDS, TYPE_GROUPS } from '#server/recognition/contract.ts';
import { documentTypes } from '#messages/documentTypes.ts';
import * as code from '#messages/eInvoiceCode.ts';
import * as t from '#messages/fields.ts';
import * as reading from '#messages/reading.ts';
import { Button } from '../../components/Button.tsx';
import { Select } from '../../components/Select.tsx';
import { formatCount } from '../../lib/format.ts';
import { groupFields, nameOfTable } from '../../lib/fieldValues.ts';
import { CodeCard } from './CodeCard.tsx';
import { FieldRow, Mark } from './FieldRow.tsx';
import { ValueField, hasDraft } from './ValueField.tsx';

export interface FieldsBodyProps {
  /** The document. */
  item: { id: number; name: string };
  view: FieldsView;
  mayAnswer: boolean;
  onAnswer: (change: FieldChange) => Promise<unknown>;
  /** Highlights the value's region; null if there is no preview. */
  onShow: ((place: Pick<FieldView, 'page' | 'box'>) => void) | null;
  /** Null for a user who may only view: a table is content that can be copied. */
  onTable: ((index: number) => void) | null;
}

const TYPES = TYPE_GROUPS.flatMap((group) =>
  Object.entries(DOCUMENT_TYPES)
    .filter(([, type]) => type.group === group)
    .map(([id]) => ({ id, label: documentTypes[id as keyof typeof documentTypes] })),
);

/** Why there are no values, or none yet; null if there are. */
function emptyText({ state, reason, paused, type, fields, tables }: FieldsView): string | null {
  const hasValues = type.value !== null || type.answer || fields.length > 0 || tables.length > 0;
  if (state === 'waiting') return paused ? t.waitingPaused : t.waiting;
  if (hasValues) return null;
  if (state === 'refused') return reason ? reading.reasons[reason] : t.nothingRecognised;
  if (state === 'unread') return t.typeNotRead;
  return state === 'no_text' ? t.noText : t.nothingRecognised;
}

/** The field values of a document: type and period, values by group, and tables. */
export function FieldsBody({ item, view, mayAnswer, onAnswer, onShow, onTable }: FieldsBodyProps) {
  const { type, period, fields, tables, codes, unsure } = view;
  const why = emptyText(view);
  return (
    <div className="flex flex-col gap-1">
      {why && (
        <p role="status" className="py-0.5 text-muted">
          {why}
        </p>
      )}
      {unsure > 0 && <p className="text-sm text-warning-text">{t.unsureCount(unsure)}</p>}
      {(mayAnswer || type.value !== null) && <TypeRow {...{ type, mayAnswer, onAnswer }} />}
      {(type.value !== null || period.value !== null || period.answer) && (
        <ul>
          <FieldRow
            item={item}
            field={{ ...period, kind: 'period' }}
            mayAnswer={mayAnswer}
            onAnswer={onAnswer}
            onShow={null}
          />
        </ul>
      )}
      {groupFields(fields, type.value).map(({ group, fields: fieldsOfGroup }) => (
        <section key={group} aria-label={t.groups[group]}>
          <h4 className="pt-2 text-xs font-medium text-muted">{t.groups[group]}</h4>
          <ul>
            {fieldsOfGroup.map((field) => (
              <FieldRow
                key={field.id}
                item={item}
                field={field}
                mayAnswer={mayAnswer}
                onAnswer={onAnswer}
                onShow={onShow && field.page !== null ? () => onShow(field) : null}
              />
            ))}
          </ul>
        </section>
      ))}
      {mayAnswer && type.value !== null && <AddValue {...{ item, type: type.value, fields, onAnswer }} />}
      {codes.length > 0 && (
        <section aria-label={code.title}>
          <h4 className="pt-2 text-xs font-medium text-muted">{code.title}</h4>
          {codes.map((code, index) => (
            // oxlint-disable-next-line no-array-index-key -- codes have no other name
            <CodeCard key={index} code={code} onShow={onShow && (() => onShow(code))} />
          ))}
        </section>
      )}
      {tables.length > 0 && (
        <section aria-label={t.groups.tables}>
          <h4 className="pt-2 text-xs font-medium text-muted">{t.groups.tables}</h4>
          <ul className="-ml-2.5">
            {tables.map(({ key, rows }, index) => (
              // oxlint-disable-next-line no-array-index-key -- tables have no other name
              <li key={index}>
                {onTable ? (
                  <Button variant="quiet" size="sm" onPress={() => onTable(index)}>
                    {t.openTable(nameOfTable(key), formatCount(rows))}
                  </Button>
                ) : (
                  <span className="block px-2.5 py-1 text-sm">
                    {t.openTable(nameOfTable(key), formatCount(rows))}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function TypeRow({
  type,
  mayAnswer,
  onAnswer,
}: { type: FieldView } & Pick<FieldsBodyProps, 'mayAnswer' | 'onAnswer'>) {
  if (!mayAnswer)
    return (
      <p className="py-1 font-medium">
        {TYPES.find(({ id }) => id === type.value)?.label ?? t.noType}
        <Mark field={type} />
      </p>
    );
  return (
    <div className="py-1">
      <Select
        label={t.type}
        hideLabel
        placeholder={t.noType}
        options={TYPES}
        value={type.value}
        onChange={(id) => {
          if (id !== null)
            void onAnswer({ id: 'type', answer: 'corrected', value: String(id), seen: type.value }).catch(
              () => {},
            );
        }}
      />
      <Mark field={type} />
    </div>
  );
}

/** Adds a value that documents of this type have, but that was not recognised in this one. */
function AddValue({
  item,
  type,
  fields,
  onAnswer,
}: { type: string; fields: readonly FieldView[] } & Pick<FieldsBodyProps, 'item' | 'onAnswer'>) {
  const presentKeys = new Set(fields.map((field) => field.key));
  const keys: readonly FieldKey[] = Object.hasOwn(DOCUMENT_TYPES, type)
    ? DOCUMENT_TYPES[type as keyof typeof DOCUMENT_TYPES].fields
    : [];
  const missing = keys.filter((key) => !presentKeys.has(key));
  const [key, setKey] = useState(() => missing.find((id) => hasDraft(item.id, id)) ?? null);
  if (key === null)
    return missing.length === 0 ? null : (
      <Select
        label={t.addValue}
        hideLabel
        placeholder={t.addValue}
        className="pt-2"
        options={missing.map((id) => ({ id, label: t.keys[id] }))}
        value={null}
        onChange={(id) => setKey(id as FieldKey | null)}
      />
    );
  const blank = { raw: '', page: null, box: null, check: null, suggested: null, unsure: false, answer: null };
  return (
    <div className="pt-2">
      <ValueField
        item={item}
        // It is there when a colleague has added it in the meantime.
        field={
          fields.find(({ id }) => id === key) ?? {
            id: key,
            key,
            kind: FIELD_KINDS[key],
            value: null,
            read: null,
            ...blank,
          }
        }
        onSave={(value, seen) => onAnswer({ id: key, answer: 'corrected', value, seen })}
        onClose={() => setKey(null)}
      />
    </div>
  );
}
