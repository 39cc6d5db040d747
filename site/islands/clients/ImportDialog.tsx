import { useRef, useState } from 'react';
import { FileSpreadsheet } from 'lucide-react';
import type { ClientField, ImportPreview, ImportRow } from '#server/clients/contract.ts';
import { IMPORT_MAX_BYTES } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { Select } from '../../components/Select.tsx';
import { useFileDrop } from '../../components/useFileDrop.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { confirmDiscard } from '../../lib/confirm.ts';
import { cx } from '../../lib/cx.ts';
import { toast } from '../../lib/toast.ts';
import type { Choices } from './calls.ts';
import { calls } from './calls.ts';
import { Findings, Mapping } from './ImportFindings.tsx';

const FAILED = t.importFailed;

export default function ImportDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState<ImportPreview | null>(null);
  /** The mapping chosen by the user, until its preview is loaded. */
  const [mapping, setMapping] = useState<Choices['mapping'] | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const [busy, setBusy] = useState<'preview' | 'import' | null>(null);
  const [skipErrors, setSkipErrors] = useState(false);
  /** Whether to import a row, by its line, where the user has chosen. */
  const [ticks, setTicks] = useState<ReadonlyMap<number, boolean>>(new Map());
  /** Whether the user has chosen something that another start would need again. */
  const [isEdited, setEdited] = useState(false);
  /** Whether another file was there before. */
  const [isAgain, setAgain] = useState(false);
  const fields = mapping ?? preview?.columns.map(({ field }) => field) ?? [];
  /** The last preview that was requested; the answers of earlier ones are ignored. */
  const latest = useRef<symbol | null>(null);

  async function loadPreview(chosen: File, choices: Choices = {}): Promise<void> {
    setAlert(null);
    if (chosen.size > IMPORT_MAX_BYTES) {
      setAlert(t.tooLarge);
      return;
    }
    const own = Symbol('preview');
    latest.current = own;
    setSkipErrors(false);
    setMapping(choices.mapping ?? null);
    setBusy('preview');
    try {
      const loaded = await calls.preview(chosen, choices);
      if (latest.current !== own) return;
      setPreview(loaded);
      setFile(chosen);
    } catch (error) {
      if (latest.current !== own) return;
      setAlert(messageOf(error, FAILED));
    }
    setMapping(null);
    setBusy(null);
  }

  function chooseAnother(): void {
    latest.current = null;
    setPreview(null);
    setFile(null);
    setTicks(new Map());
    setMapping(null);
    setEdited(false);
    setAgain(true);
    setBusy(null);
  }

  async function run(): Promise<void> {
    if (!file || !preview) return;
    const { sheet, as_of: asOf } = preview;
    setAlert(null);
    setBusy('import');
    try {
      const done = await calls.import(file, {
        mapping: fields,
        sheet,
        leaveOut: skipErrors,
        // Also those with errors: one may be right once an earlier row of the same client is left out, which nobody has seen.
        skip: [...skipped, ...errorLines],
        asOf,
      });
      toast.success(t.imported, {
        description: t.importedCounts(done.created, done.updated, done.left_out),
      });
      onDone();
      onClose();
      return;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'clients_changed')
        await loadPreview(file, { mapping: fields, sheet });
      setAlert(messageOf(error, FAILED));
    }
    setBusy(null);
  }

  /** Assigns a field to a column. A field belongs to one column, so the column that had it loses it. */
  const map = (column: number, field: ClientField | null) => {
    setEdited(true);
    const next = fields.map((old, index) => (index === column ? field : old === field ? null : old));
    if (file) void loadPreview(file, { mapping: next, sheet: preview?.sheet });
  };

  function choose(line: number, isImported: boolean): void {
    setEdited(true);
    setTicks((old) => new Map(old).set(line, isImported));
  }

  async function close(): Promise<void> {
    // The server imports what it has received, whether or not somebody waits for its answer.
    if (importing) return;
    if (!isEdited || (await confirmDiscard(t.choicesNotKept))) onClose();
  }

  const skippedRows = preview?.rows.filter((row) => isSkipped(row, ticks)) ?? [];
  const skipped = new Set(skippedRows.map(({ line }) => line));
  const errorLines = preview?.rows.flatMap(({ action, line }) => (action === 'error' ? [line] : [])) ?? [];
  const { create = 0, update = 0, same = 0, error = 0 } = preview?.counts ?? {};
  const skippedOf = (action: ImportRow['action']) =>
    skippedRows.filter((row) => row.action === action).length;
  const [creating, updating] = [create - skippedOf('create'), update - skippedOf('update')];
  const named = fields.includes('name');
  const importing = busy === 'import';
  return (
    <Dialog
      title={t.importClients}
      size={preview ? 'xl' : 'md'}
      isOpen
      onOpenChange={() => void close()}
      isUnsaved={isEdited || importing}
      hasClose={!importing}
    >
      <DialogBody className="flex flex-col gap-4">
        {alert && <Alert onDismiss={() => setAlert(null)}>{alert}</Alert>}
        {preview ? (
          <>
            {preview.sheets.length > 1 && (
              <Select
                label={t.sheet}
                description={t.sheetsOf(preview.sheets.length)}
                options={preview.sheets.map((name) => ({ id: name, label: name }))}
                value={preview.sheet}
                isDisabled={importing}
                onChange={(key) => {
                  setTicks(new Map());
                  if (file) void loadPreview(file, { sheet: String(key) });
                }}
                className="max-w-80"
              />
            )}
            <Mapping
              preview={preview}
              fields={fields}
              // While another sheet is loaded, the columns are still those of the old one.
              isDisabled={importing || (busy === 'preview' && mapping === null)}
              onMap={map}
            />
            {!named && <Alert tone="warning">{t.chooseName}</Alert>}
            {named && error > 0 && (
              <Alert tone="warning">
                <Checkbox
                  isSelected={skipErrors}
                  isDisabled={importing}
                  onChange={(isSelected) => {
                    setEdited(true);
                    setSkipErrors(isSelected);
                  }}
                >
                  {t.skipErrors(error)}
                </Checkbox>
              </Alert>
            )}
            <Findings
              preview={preview}
              busy={busy === 'preview'}
              skipped={skipped}
              isDisabled={busy !== null}
              onChoose={choose}
            />
          </>
        ) : (
          <Chooser
            busy={busy === 'preview'}
            isAgain={isAgain}
            onChoose={(chosen) => void loadPreview(chosen)}
          />
        )}
      </DialogBody>
      <DialogFooter className="border-t border-line pt-3!">
        {preview && (
          <p className="tabular mr-auto self-center text-sm text-muted max-lg:w-full" role="status">
            {t.importSummary(creating, updating, same)}
            {skipped.size > 0 && ` · ${t.rowsLeftOut(skipped.size)}`}
            {error > 0 && <span className="font-medium text-danger-text"> · {t.rowsWithErrors(error)}</span>}
          </p>
        )}
        {preview && (
          <Button isDisabled={importing} onPress={chooseAnother}>
            {t.anotherFile}
          </Button>
        )}
        <Button isDisabled={importing} onPress={() => void close()}>
          {common.cancel}
        </Button>
        {preview && (
          <Button
            variant="primary"
            busy={importing}
            busyLabel={t.importing}
            isDisabled={
              busy === 'preview' || (error > 0 && !skipErrors) || !named || creating + updating === 0
            }
            onPress={() => void run()}
          >
            {t.importCount(creating + updating)}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}

/** A row that may give a client the name of somebody else is imported only when the user has ticked it. */
const isSkipped = ({ action, line, renames }: ImportRow, ticks: ReadonlyMap<number, boolean>): boolean =>
  (action === 'create' || action === 'update') && !(ticks.get(line) ?? !renames);

function Chooser({
  busy,
  isAgain,
  onChoose,
}: {
  busy: boolean;
  /** Whether it takes the place of another file, whose controls are gone. */
  isAgain: boolean;
  onChoose: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const { over, target } = useFileDrop(([file]) => file && onChoose(file));
  return (
    <div
      {...target}
      className={cx(
        'flex flex-col items-center gap-3 rounded-lg border border-dashed px-6 py-9 text-center',
        over ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <FileSpreadsheet aria-hidden size={28} className="text-muted" />
      <div>
        <p className="font-medium">{t.chooseFileTitle}</p>
        <p className="mt-1 text-sm text-pretty text-muted">{t.chooseFileAbout}</p>
      </div>
      <input
        ref={input}
        type="file"
        aria-label={t.fileOfClients}
        accept=".csv,.xlsx,.xlsm,.xls,.txt,text/csv"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = '';
          if (file) onChoose(file);
        }}
      />
      <Button
        // Otherwise the focus goes to Cancel, where Enter closes the dialog.
        autoFocus={isAgain}
        variant="primary"
        busy={busy}
        busyLabel={t.reading}
        onPress={() => input.current?.click()}
      >
        {t.chooseFile}
      </Button>
    </div>
  );
}
