import { useEffect, useRef, useState } from 'react';
import type { ClientField, ImportPreview, ImportRow } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Select } from '../../components/Select.tsx';
import { cx } from '../../lib/cx.ts';
import { FIELDS, LABELS, shownValue } from './form.ts';

/** Rows rendered at first, and with each press of the button below them; rows with errors are first. */
const PAGE_ROWS = 300;

const SKIP = 'skip';
const FIELD_OPTIONS = [
  { id: SKIP, label: t.skip },
  ...FIELDS.map((field) => ({ id: field as string, label: LABELS[field] })),
];

/** The assignment of the file's columns to fields. */
export function Mapping({
  preview,
  fields,
  isDisabled,
  onMap,
}: {
  preview: ImportPreview;
  /** The field of each column, perhaps newer than the preview. */
  fields: readonly (ClientField | null)[];
  isDisabled: boolean;
  onMap: (column: number, field: ClientField | null) => void;
}) {
  const section = useRef<HTMLElement>(null);
  // Otherwise on Cancel, the neighbour of the button that chose the file, where Enter throws the import away.
  useEffect(() => section.current?.querySelector('button')?.focus(), []);
  return (
    <section ref={section} aria-label={t.columns}>
      <h3 className="mb-2 text-sm font-medium">{t.columnsHold}</h3>
      <ul className="grid gap-x-4 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
        {preview.columns.map(({ heading, sample }, index) => (
          <li key={index} className="grid grid-cols-2 items-center gap-2">
            <span className="min-w-0">
              <span className="block truncate text-sm">{heading || t.columnNumber(index + 1)}</span>
              <span className="block truncate text-xs text-muted">{sample || t.empty}</span>
            </span>
            <Select
              label={t.fieldFor(heading || t.columnNumber(index + 1))}
              hideLabel
              options={FIELD_OPTIONS}
              value={fields[index] ?? SKIP}
              isDisabled={isDisabled}
              onChange={(key) => onMap(index, key === SKIP ? null : (key as ClientField))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const ACTIONS: Record<ImportRow['action'], { label: string; tone: BadgeTone }> = {
  create: { label: t.rowNew, tone: 'success' },
  update: { label: t.rowUpdate, tone: 'accent' },
  same: { label: t.rowUnchanged, tone: 'neutral' },
  error: { label: t.rowError, tone: 'danger' },
};

const LEFT_OUT: (typeof ACTIONS)[ImportRow['action']] = { label: t.rowLeftOut, tone: 'neutral' };

/** Line numbers that are listed. */
const MAX_LINES = 12;

/** Classes that hide columns on narrow screens. */
const NUMBER = 'max-sm:hidden';
const EMAIL = 'max-lg:hidden';
const HEADINGS = [
  { heading: t.line },
  { heading: LABELS.name },
  { heading: LABELS.pan, className: NUMBER },
  { heading: LABELS.gstin, className: NUMBER },
  { heading: LABELS.email, className: EMAIL },
];

/** The preview of the import, row by row. */
export function Findings({
  preview,
  busy,
  skipped,
  isDisabled,
  onChoose,
}: {
  preview: ImportPreview;
  busy: boolean;
  /** The lines of rows that are not imported. */
  skipped: ReadonlySet<number>;
  isDisabled: boolean;
  onChoose: (line: number, isImported: boolean) => void;
}) {
  const rank = ({ action, namesake, renames }: ImportRow) =>
    action === 'error' ? 0 : namesake || renames ? 1 : 2;
  const ordered = preview.rows.toSorted((a, b) => rank(a) - rank(b));
  const [limit, setLimit] = useState(PAGE_ROWS);
  const hidden = ordered.slice(limit);
  const hiddenErrors = hidden.filter(({ action }) => action === 'error').length;
  return (
    <section aria-label={t.rows} aria-busy={busy} className={busy ? 'opacity-60' : ''}>
      <h3 className="mb-2 text-sm font-medium">{t.previewHeading}</h3>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key
        tabIndex={0}
        role="region"
        aria-label={t.rowsOfFile}
        className="relative max-h-72 overflow-auto rounded-md border border-line"
      >
        <table className="w-full text-sm">
          <thead className="sticky top-0 bg-sunken text-left text-xs text-muted">
            <tr>
              <th scope="col" className="w-0">
                <span className="sr-only">{t.importLabel}</span>
              </th>
              {HEADINGS.map(({ heading, className }) => (
                <th key={heading} scope="col" className={cx('px-3 py-1.5 font-medium', className)}>
                  {heading}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">{t.result}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {ordered.slice(0, limit).map((row) => (
              <Row
                key={row.line}
                row={row}
                isSkipped={skipped.has(row.line)}
                isDisabled={isDisabled}
                onChoose={onChoose}
              />
            ))}
          </tbody>
        </table>
      </div>
      {preview.aside.length > 0 && (
        <p className="mt-1.5 text-xs text-muted">
          {t.notClients(preview.aside.slice(0, MAX_LINES), preview.aside.length)}
        </p>
      )}
      {hidden.length > 0 && (
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-xs text-muted">
          {hiddenErrors > 0
            ? t.andMoreRowsWithErrors(hidden.length, hiddenErrors)
            : t.andMoreRows(hidden.length)}
          <Button size="sm" variant="quiet" onPress={() => setLimit(limit + PAGE_ROWS)}>
            {t.showMoreRows}
          </Button>
        </p>
      )}
    </section>
  );
}

/** A row of the file; its errors, or a warning and what it changes, are below it, over the full width. */
function Row({
  row,
  isSkipped,
  isDisabled,
  onChoose,
}: {
  row: ImportRow;
  isSkipped: boolean;
  isDisabled: boolean;
  onChoose: (line: number, isImported: boolean) => void;
}) {
  const { label, tone } = isSkipped ? LEFT_OUT : ACTIONS[row.action];
  const errors = Object.entries(row.errors);
  const { before = null } = row.changes.find(({ field }) => field === 'name') ?? {};
  const warning = row.namesake ? t.namesake : row.renames ? t.renames(before ?? '') : null;
  const cell = 'px-3 py-1.5';
  return (
    <>
      <tr className="border-t border-line">
        <td className="py-1.5 pl-3">
          {(row.action === 'create' || row.action === 'update') && (
            <Checkbox
              aria-label={t.importRow(row.line, row.name)}
              className="pointer-coarse:-m-3.5 pointer-coarse:*:p-3.5"
              isSelected={!isSkipped}
              isDisabled={isDisabled}
              onChange={(isSelected) => onChoose(row.line, isSelected)}
            />
          )}
        </td>
        <td className={cx(cell, 'tabular text-muted')}>{row.line}</td>
        <td className={cx(cell, 'max-w-36 truncate font-medium sm:max-w-64')}>{row.name || t.noName}</td>
        <td className={cx(cell, 'tabular text-muted', NUMBER)}>{row.pan}</td>
        <td className={cx(cell, 'tabular text-muted', NUMBER)}>{row.gstin}</td>
        <td className={cx(cell, 'max-w-48 truncate text-muted', EMAIL)}>{row.email}</td>
        <td className={cx(cell, 'text-right')}>
          <Badge tone={tone}>{label}</Badge>
        </td>
      </tr>
      {warning && (
        <tr>
          <td colSpan={2}>
            <span className="sr-only">{t.warning}</span>
          </td>
          <td colSpan={5} className="px-3 pb-2 text-warning-text">
            {warning}
          </td>
        </tr>
      )}
      {row.changes.length > 0 && (
        <tr>
          <td colSpan={2}>
            <span className="sr-only">{t.changes}</span>
          </td>
          <td colSpan={5} className="px-3 pb-2 text-muted">
            {row.changes.map((change) => (
              <Change key={change.field} {...change} />
            ))}
          </td>
        </tr>
      )}
      {errors.length > 0 && (
        <tr>
          <td colSpan={2}>
            <span className="sr-only">{t.errors}</span>
          </td>
          <td colSpan={5} className="px-3 pb-2 text-danger-text">
            {errors.map(([field, [text]]) => (
              <span key={field} className="block">
                {LABELS[field as ClientField]}: {text}
              </span>
            ))}
          </td>
        </tr>
      )}
    </>
  );
}

/** What the row changes in one field; a new name stands out, since the row may be of another client. */
function Change({ field, before, after }: ImportRow['changes'][number]) {
  const shown = (value: string | null) => (value === null ? t.empty : shownValue(field, value));
  return (
    <span className={cx('block break-words', field === 'name' && 'font-medium text-warning-text')}>
      {LABELS[field]}: {shown(before)} → {shown(after)}
    </span>
  );
}
