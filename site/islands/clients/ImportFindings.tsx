import type { ClientField, ImportPreview, ImportRow } from '#server/clients/contract.ts';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Select } from '../../components/Select.tsx';
import { plural } from '../../lib/format.ts';
import { FIELDS, LABELS } from './form.ts';

/** Rows drawn; the rest are like these, and every wrong one comes first. */
const SHOWN = 300;

const SKIP = 'skip';
const FIELD_OPTIONS = [
  { id: SKIP, label: 'Leave out' },
  ...FIELDS.map((field) => ({ id: field as string, label: LABELS[field] })),
];

/** What each column holds, to be put right. */
export function Mapping({
  preview,
  onMap,
}: {
  preview: ImportPreview;
  onMap: (at: number, field: ClientField | null) => void;
}) {
  return (
    <section aria-label="Columns">
      <h3 className="mb-2 text-sm font-medium">What the columns hold</h3>
      <ul className="grid gap-x-4 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
        {preview.columns.map(({ heading, sample, field }, at) => (
          <li key={at} className="grid grid-cols-2 items-center gap-2">
            <span className="min-w-0">
              <span className="block truncate text-sm">{heading || `Column ${at + 1}`}</span>
              <span className="block truncate text-xs text-muted">{sample || 'empty'}</span>
            </span>
            <Select
              label={`Field for ${heading || `column ${at + 1}`}`}
              hideLabel
              options={FIELD_OPTIONS}
              value={field ?? SKIP}
              onChange={(key) => onMap(at, key === SKIP ? null : (key as ClientField))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const ACTIONS: Record<ImportRow['action'], { label: string; tone: BadgeTone }> = {
  create: { label: 'New', tone: 'success' },
  update: { label: 'Update', tone: 'accent' },
  same: { label: 'Unchanged', tone: 'neutral' },
  error: { label: 'Error', tone: 'danger' },
};

/** `2, 3, 48 and 9 more`. */
const listed = (lines: readonly number[]): string =>
  lines.slice(0, 12).join(', ') + (lines.length > 12 ? ` and ${lines.length - 12} more` : '');

/** What an import would do, row by row. */
export function Findings({ preview, busy }: { preview: ImportPreview; busy: boolean }) {
  const ordered = [
    ...preview.rows.filter(({ action }) => action === 'error'),
    ...preview.rows.filter(({ action }) => action !== 'error'),
  ];
  const hidden = ordered.length - SHOWN;
  return (
    <section aria-label="Rows" aria-busy={busy} className={busy ? 'opacity-60' : ''}>
      <h3 className="mb-2 text-sm font-medium">What would happen</h3>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key
        tabIndex={0}
        role="region"
        aria-label="Rows of the file"
        className="max-h-72 overflow-auto rounded-md border border-line"
      >
        <table className="w-full text-sm">
          <thead className="sticky top-0 bg-sunken text-left text-xs text-muted">
            <tr>
              {['Line', 'Name', 'PAN', 'GSTIN', 'Email', ''].map((heading) => (
                <th key={heading} scope="col" className="px-3 py-1.5 font-medium">
                  {heading || <span className="sr-only">What would happen</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ordered.slice(0, SHOWN).map((row) => (
              <tr key={row.line} className="border-t border-line align-top">
                <td className="tabular px-3 py-1.5 text-muted">{row.line}</td>
                <td className="max-w-64 px-3 py-1.5">
                  <span className="block truncate font-medium">{row.name || '(no name)'}</span>
                  {Object.entries(row.errors).map(([field, texts]) => (
                    <span key={field} className="block text-danger-text">
                      {LABELS[field as ClientField]}: {texts[0]}
                    </span>
                  ))}
                </td>
                <td className="tabular px-3 py-1.5 text-muted">{row.pan}</td>
                <td className="tabular px-3 py-1.5 text-muted">{row.gstin}</td>
                <td className="max-w-48 truncate px-3 py-1.5 text-muted">{row.email}</td>
                <td className="px-3 py-1.5 text-right">
                  <Badge tone={ACTIONS[row.action].tone}>{ACTIONS[row.action].label}</Badge>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {preview.aside.length > 0 && (
        <p className="mt-1.5 text-xs text-muted">
          Not clients: {preview.aside.length === 1 ? 'line' : 'lines'} {listed(preview.aside)} (a title, a
          total, a heading or nothing to import).
        </p>
      )}
      {hidden > 0 && (
        <p className="mt-1.5 text-xs text-muted">And {plural(hidden, 'more row')} without errors to show.</p>
      )}
    </section>
  );
}
