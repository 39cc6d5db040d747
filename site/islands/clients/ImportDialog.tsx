import { useRef, useState } from 'react';
import { FileSpreadsheet } from 'lucide-react';
import type { ClientField, ImportPreview, ImportRow } from '#server/clients/contract.ts';
import { IMPORT_MAX_BYTES } from '#server/clients/contract.ts';
import { Alert } from '../../components/Alert.tsx';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { Select } from '../../components/Select.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { calls } from './calls.ts';
import { FIELDS, LABELS } from './form.ts';

const FAILED = 'Failed to import clients. Please try again.';
/** Rows drawn; the rest are like these, and every wrong one comes first. */
const SHOWN = 300;

export default function ImportDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState<ImportPreview | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const [busy, setBusy] = useState<'look' | 'import' | null>(null);
  const fields = preview?.columns.map(({ field }) => field) ?? [];

  async function look(chosen: File, mapping: (ClientField | null)[] | null): Promise<void> {
    setAlert(null);
    if (chosen.size > IMPORT_MAX_BYTES) {
      setAlert('This file is over 5 MB. Split the list and import the parts one by one.');
      return;
    }
    setBusy('look');
    try {
      setPreview(await calls.preview(chosen, mapping));
      setFile(chosen);
    } catch (error) {
      setAlert(messageOf(error, FAILED));
    }
    setBusy(null);
  }

  async function run(): Promise<void> {
    if (!file) return;
    setAlert(null);
    setBusy('import');
    try {
      const { created, updated } = await calls.import(file, fields);
      toast.success('Clients imported', {
        description: `${formatCount(created)} added, ${formatCount(updated)} updated.`,
      });
      onDone();
      onClose();
      return;
    } catch (error) {
      setAlert(messageOf(error, FAILED));
    }
    setBusy(null);
  }

  /** A field stands in one column: where it is chosen now, it leaves the other. */
  const map = (at: number, field: ClientField | null) => {
    const next = fields.map((old, place) => (place === at ? field : old === field ? null : old));
    if (file) void look(file, next);
  };

  const { create = 0, update = 0, same = 0, error = 0 } = preview?.counts ?? {};
  const named = fields.includes('name');
  return (
    <Dialog title="Import clients" size={preview ? 'xl' : 'md'} isOpen onOpenChange={onClose}>
      <DialogBody className="flex flex-col gap-4">
        {alert && <Alert onDismiss={() => setAlert(null)}>{alert}</Alert>}
        {preview ? (
          <>
            <Mapping preview={preview} onMap={map} />
            {!named && <Alert tone="warning">Say which column holds the name.</Alert>}
            <Findings preview={preview} busy={busy === 'look'} />
          </>
        ) : (
          <Chooser busy={busy === 'look'} onChoose={(chosen) => void look(chosen, null)} />
        )}
      </DialogBody>
      <DialogFooter className="border-t border-line pt-3!">
        {preview && (
          <p className="tabular mr-auto self-center text-sm text-muted" role="status">
            {plural(create, 'new client')}, {formatCount(update)} to update, {formatCount(same)} unchanged
            {error > 0 && (
              <span className="font-medium text-danger-text">, {plural(error, 'row')} with errors</span>
            )}
          </p>
        )}
        {preview && (
          <Button
            onPress={() => {
              setPreview(null);
              setFile(null);
            }}
          >
            Another file
          </Button>
        )}
        <Button onPress={onClose}>Cancel</Button>
        {preview && (
          <Button
            variant="primary"
            busy={busy === 'import'}
            busyLabel="Importing..."
            isDisabled={error > 0 || !named || create + update === 0}
            onPress={() => void run()}
          >
            Import {plural(create + update, 'client')}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}

function Chooser({ busy, onChoose }: { busy: boolean; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file) onChoose(file);
      }}
      className={cx(
        'flex flex-col items-center gap-3 rounded-lg border border-dashed px-6 py-9 text-center',
        over ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <FileSpreadsheet aria-hidden size={28} className="text-muted" />
      <div>
        <p className="font-medium">Choose an Excel or CSV file, or drop it here</p>
        <p className="mt-1 text-sm text-pretty text-muted">
          The first row names the columns. You see what would happen before anything is saved. At most 5 MB
          and 5,000 rows.
        </p>
      </div>
      <input
        ref={input}
        type="file"
        aria-label="File of clients"
        accept=".csv,.xlsx,.txt,text/csv"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = '';
          if (file) onChoose(file);
        }}
      />
      <Button variant="primary" busy={busy} busyLabel="Reading..." onPress={() => input.current?.click()}>
        Choose file
      </Button>
    </div>
  );
}

const SKIP = 'skip';
const FIELD_OPTIONS = [
  { id: SKIP, label: 'Leave out' },
  ...FIELDS.map((field) => ({ id: field as string, label: LABELS[field] })),
];

function Mapping({
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

function Findings({ preview, busy }: { preview: ImportPreview; busy: boolean }) {
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
      {hidden > 0 && (
        <p className="mt-1.5 text-xs text-muted">And {plural(hidden, 'more row')} without errors to show.</p>
      )}
    </section>
  );
}
