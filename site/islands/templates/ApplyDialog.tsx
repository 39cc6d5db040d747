import { useEffect, useRef, useState } from 'react';
import type { Applied, Example } from '#server/templates/contract.ts';
import { MAX_CLIENTS, appliedText, usesPlaceholder } from '#server/templates/contract.ts';
import { selectableYears } from '#server/text/years.ts';
import * as t from '#messages/templates.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { ProgressBar } from '../../components/ProgressBar.tsx';
import { Rich } from '../../components/Rich.tsx';
import { Select } from '../../components/Select.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { notifyChanged } from '../../lib/cache.ts';
import { formatCount } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { inBatches } from './batches.ts';
import { calls } from './calls.ts';
import { FolderList } from './FolderList.tsx';
import type { TemplatesDialogProps } from './TemplatesDialog.tsx';
import type { KnownTemplates } from './useTemplates.ts';

/** Clients per call; Stop takes effect between calls. */
const BATCH_SIZE = 20;

interface ApplyDialogProps extends TemplatesDialogProps {
  templates: KnownTemplates;
  chosen: string;
  choose: (id: string) => void;
  onManage: () => void;
}

type PreviewState =
  { key: string; totals: Applied; example: Example | null } | { key: string; failure: string };

export function ApplyDialog({
  clients,
  templates,
  chosen,
  choose,
  onManage,
  onClose,
  onDone,
}: ApplyDialogProps) {
  const { list, error, reload } = templates;
  const [years] = useState(() => selectableYears(new Date()));
  const [fy, setFy] = useState(years[1]!);
  const template = list?.find(({ id }) => id === chosen) ?? list?.[0];
  const yearly = template ? usesPlaceholder(template.outline, 'fy') : true;
  const [ids] = useState(() => clients.map(({ id }) => id));
  const preview = usePreview(template?.id, ids, yearly ? fy : undefined, template?.version ?? 0);
  const [progress, setProgress] = useState<number | null>(null);
  const [result, setResult] = useState<{ text: string; totals: Applied } | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const stop = useRef(false);
  useEffect(() => () => void (stop.current = true), []);

  async function create() {
    if (!template || progress !== null) return;
    stop.current = false;
    setAlert(null);
    setProgress(0);
    let count = 0;
    let made: Applied | null = null;
    try {
      const values = { ...(yearly && { fy }) };
      const totals = await inBatches(
        ids,
        BATCH_SIZE,
        (client_ids) => calls.apply(template.id, { client_ids, ...values }),
        {
          stopped: () => stop.current,
          done: (done, soFar) => {
            count = done;
            made = soFar;
            setProgress(done);
          },
        },
      );
      const text = appliedText(totals);
      if (count < ids.length)
        setResult({
          totals,
          text: t.stopped(formatCount(count), t.clientCount(ids.length), text),
        });
      else if (totals.taken > 0) setResult({ totals, text });
      else {
        toast.success(text);
        onDone?.();
        onClose();
      }
    } catch (failure) {
      const before = made ? ' ' + t.untilThen(appliedText(made)) : '';
      setAlert(messageOf(failure, t.createFailed) + before);
    }
    setProgress(null);
    notifyChanged();
  }

  const [first] = clients;
  const whom = clients.length === 1 ? (first?.name ?? '') : t.clientCount(clients.length);
  return (
    <Dialog
      title={t.applyTemplate}
      isOpen
      onOpenChange={onClose}
      size="md"
      isKeyboardDismissDisabled={progress !== null}
      hasClose={progress === null}
    >
      <DialogBody className="flex flex-col gap-4">
        <p>
          <Rich text={t.forWhom(whom)} />
        </p>
        {error && <Alert onRetry={() => void reload()}>{error}</Alert>}
        {alert && <Alert>{alert}</Alert>}
        {result ? (
          <Result {...result} />
        ) : progress !== null ? (
          <div className="flex flex-col gap-2" role="status">
            <p className="tabular">{t.progressOf(formatCount(progress), t.clientCount(ids.length))}</p>
            <ProgressBar value={(100 * progress) / ids.length} label={t.creating} size="md" />
          </div>
        ) : (
          <>
            <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
              <Select
                label={t.template}
                options={(list ?? []).map(({ id, name }) => ({ id, label: name }))}
                value={template?.id ?? null}
                onChange={(key) => choose(String(key))}
                isDisabled={!list}
              />
              {yearly && (
                <Select
                  label={t.financialYear}
                  options={years.map((year) => ({ id: year, label: year }))}
                  value={fy}
                  onChange={(key) => setFy(String(key))}
                />
              )}
            </div>
            {template && <Preview preview={preview} many={clients.length > 1} />}
          </>
        )}
      </DialogBody>
      <DialogFooter>
        {progress !== null ? (
          <Button onPress={() => void (stop.current = true)}>{t.stop}</Button>
        ) : result ? (
          <Button
            variant="primary"
            onPress={() => {
              onDone?.();
              onClose();
            }}
          >
            {common.close}
          </Button>
        ) : (
          <>
            {/* On a phone in a line of its own, so that Cancel and Create stay side by side. */}
            <Button variant="quiet" className="mr-auto max-sm:basis-full" onPress={onManage}>
              {t.manage}
            </Button>
            <Button onPress={onClose}>{common.cancel}</Button>
            <Button
              variant="primary"
              onPress={() => void create()}
              isDisabled={!preview || 'failure' in preview || preview.totals.created === 0}
            >
              {t.createFolders}
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}

/** The preview of applying a template; null until it is loaded. */
function usePreview(id: string | undefined, ids: readonly number[], fy: string | undefined, version: number) {
  const [preview, setPreview] = useState<PreviewState | null>(null);
  const key = `${id}/${fy}/${version}`;
  useEffect(() => {
    if (id === undefined) return undefined;
    const control = new AbortController();
    let example: Example | null = null;
    inBatches(
      ids,
      MAX_CLIENTS,
      async (client_ids) => {
        const batch = await calls.preview(id, { client_ids, ...(fy && { fy }) }, control.signal);
        example ??= batch.example;
        return batch;
      },
      { stopped: () => control.signal.aborted, done: () => {} },
    )
      .then((totals) => setPreview({ key, totals, example }))
      .catch((error: unknown) => {
        if (!control.signal.aborted) setPreview({ key, failure: messageOf(error, t.previewFailed) });
      });
    return () => control.abort();
  }, [id, ids, fy, key]);
  return preview?.key === key ? preview : null;
}

function Preview({ preview, many }: { preview: PreviewState | null; many: boolean }) {
  if (!preview)
    return (
      <div aria-busy="true" aria-label={t.loadingPreview} className="flex flex-col gap-2">
        {[60, 40, 45, 50].map((width) => (
          <span key={width} style={{ width: `${width}%` }}>
            <Skeleton className="h-4" />
          </span>
        ))}
      </div>
    );
  if ('failure' in preview) return <Alert>{preview.failure}</Alert>;
  const { totals, example } = preview;
  const { clients, created, existing, taken, left_out } = totals;
  return (
    <section aria-label={t.preview} className="flex flex-col gap-2">
      <p role="status">
        {created === 0 ? t.nothingToCreate : t.willCreate(t.folderCount(created), t.clientCount(clients))}
        {created > 0 && existing > 0 && ` ${t.existingKept(existing)}`}
        {left_out > 0 && ` ${t.leftOut(left_out)}`}
      </p>
      {taken > 0 && (
        <Alert tone="warning">
          {t.takenNames(taken)}
          <Problems totals={totals} />
        </Alert>
      )}
      {example && (
        <div className="rounded-md border border-line bg-sunken p-3">
          <p className="mb-1.5 text-sm text-muted">
            {many ? t.exampleIn(example.path || common.myDrive) : t.inPlace(example.path || common.myDrive)}
          </p>
          <FolderList label={t.foldersOf(example.client_name)} folders={example.folders} />
        </div>
      )}
    </section>
  );
}

const Problems = ({ totals: { problems } }: { totals: Applied }) => (
  <ul className="mt-1 list-disc pl-5">
    {problems.map(({ client_id, client_name, name, sealed }) => (
      <li key={`${client_id}/${name}`} className="break-words">
        {client_name}: ‘{name}’{sealed && ` (${t.sealed})`}
      </li>
    ))}
  </ul>
);

function Result({ text, totals }: { text: string; totals: Applied }) {
  return (
    <Alert tone={totals.taken > 0 ? 'warning' : 'success'}>
      {text}
      {totals.taken > 0 && <Problems totals={totals} />}
    </Alert>
  );
}
