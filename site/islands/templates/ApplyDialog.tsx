import { useEffect, useRef, useState } from 'react';
import type { Applied, Example } from '#server/templates/contract.ts';
import { CLIENTS_MAX, appliedText, financialYears, uses } from '#server/templates/contract.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { ProgressBar } from '../../components/ProgressBar.tsx';
import { Select } from '../../components/Select.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { changed } from '../../lib/cache.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { inBatches } from './batches.ts';
import { calls } from './calls.ts';
import { FolderList } from './FolderList.tsx';
import type { TemplatesDialogProps } from './TemplatesDialog.tsx';
import type { KnownTemplates } from './useTemplates.ts';

/** Clients between two looks at Stop. */
const BATCH = 20;

interface ApplyDialogProps extends TemplatesDialogProps {
  templates: KnownTemplates;
  chosen: string;
  choose: (id: string) => void;
  onManage: () => void;
}

type Known = { key: string; totals: Applied; example: Example | null } | { key: string; failure: string };

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
  const [years] = useState(() => financialYears(new Date()));
  const [fy, setFy] = useState(years[1]!);
  const template = list?.find(({ id }) => id === chosen) ?? list?.[0];
  const yearly = template ? uses(template.outline, 'fy') : true;
  const [ids] = useState(() => clients.map(({ id }) => id));
  const known = usePreview(template?.id, ids, yearly ? fy : undefined, template?.version ?? 0);
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
      const wish = { ...(yearly && { fy }) };
      const totals = await inBatches(
        ids,
        BATCH,
        (client_ids) => calls.apply(template.id, { client_ids, ...wish }),
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
          text: `Stopped after ${formatCount(count)} of ${plural(ids.length, 'client')}. ${text} Apply it again to go on.`,
        });
      else if (totals.taken > 0) setResult({ totals, text });
      else {
        toast.success(text);
        onDone?.();
        onClose();
      }
    } catch (failure) {
      const before = made ? ` Until then: ${appliedText(made)} Apply it again to go on.` : '';
      setAlert(messageOf(failure, 'Failed to create the folders. Please try again.') + before);
    }
    setProgress(null);
    changed();
  }

  const [first] = clients;
  const whom = clients.length === 1 ? (first?.name ?? '') : plural(clients.length, 'client');
  return (
    <Dialog
      title="Apply folder template"
      isOpen
      onOpenChange={onClose}
      size="md"
      isKeyboardDismissDisabled={progress !== null}
      hasClose={progress === null}
    >
      <DialogBody className="flex flex-col gap-4">
        <p>
          For <span className="font-medium break-words">{whom}</span>
        </p>
        {error && <Alert onRetry={() => void reload()}>{error}</Alert>}
        {alert && <Alert>{alert}</Alert>}
        {result ? (
          <Result {...result} />
        ) : progress !== null ? (
          <div className="flex flex-col gap-2" role="status">
            <p className="tabular">
              {formatCount(progress)} of {plural(ids.length, 'client')}
            </p>
            <ProgressBar value={(100 * progress) / ids.length} label="Creating folders" size="md" />
          </div>
        ) : (
          <>
            <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
              <Select
                label="Template"
                options={(list ?? []).map(({ id, name }) => ({ id, label: name }))}
                value={template?.id ?? null}
                onChange={(key) => choose(String(key))}
                isDisabled={!list}
              />
              {yearly && (
                <Select
                  label="Financial year"
                  options={years.map((year) => ({ id: year, label: year }))}
                  value={fy}
                  onChange={(key) => setFy(String(key))}
                />
              )}
            </div>
            {template && <Preview known={known} many={clients.length > 1} />}
          </>
        )}
      </DialogBody>
      <DialogFooter>
        {progress !== null ? (
          <Button onPress={() => void (stop.current = true)}>Stop</Button>
        ) : result ? (
          <Button
            variant="primary"
            onPress={() => {
              onDone?.();
              onClose();
            }}
          >
            Close
          </Button>
        ) : (
          <>
            <Button variant="quiet" className="mr-auto" onPress={onManage}>
              Manage templates…
            </Button>
            <Button onPress={onClose}>Cancel</Button>
            <Button
              variant="primary"
              onPress={() => void create()}
              isDisabled={!known || 'failure' in known || known.totals.created === 0}
            >
              Create folders
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}

/** What applying it would do; null until that is known. */
function usePreview(id: string | undefined, ids: readonly number[], fy: string | undefined, version: number) {
  const [known, setKnown] = useState<Known | null>(null);
  const key = `${id}/${fy}/${version}`;
  useEffect(() => {
    if (id === undefined) return undefined;
    const control = new AbortController();
    let example: Example | null = null;
    inBatches(
      ids,
      CLIENTS_MAX,
      async (client_ids) => {
        const preview = await calls.preview(id, { client_ids, ...(fy && { fy }) }, control.signal);
        example ??= preview.example;
        return preview;
      },
      { stopped: () => control.signal.aborted, done: () => {} },
    )
      .then((totals) => setKnown({ key, totals, example }))
      .catch((error: unknown) => {
        if (!control.signal.aborted)
          setKnown({ key, failure: messageOf(error, 'Failed to load the preview. Please try again.') });
      });
    return () => control.abort();
  }, [id, ids, fy, key]);
  return known?.key === key ? known : null;
}

function Preview({ known, many }: { known: Known | null; many: boolean }) {
  if (!known)
    return (
      <div aria-busy="true" aria-label="Loading the preview" className="flex flex-col gap-2">
        {[60, 40, 45, 50].map((width) => (
          <span key={width} style={{ width: `${width}%` }}>
            <Skeleton className="h-4" />
          </span>
        ))}
      </div>
    );
  if ('failure' in known) return <Alert>{known.failure}</Alert>;
  const { totals, example } = known;
  const { clients, created, existing, taken, left_out } = totals;
  return (
    <section aria-label="Preview" className="flex flex-col gap-2">
      <p role="status">
        {created === 0
          ? 'Nothing to create: all of it is there already.'
          : `${plural(created, 'folder')} will be created for ${plural(clients, 'client')}.`}
        {created > 0 &&
          existing > 0 &&
          ` ${formatCount(existing)} ${existing === 1 ? 'is' : 'are'} there already and left as ${existing === 1 ? 'it is' : 'they are'}.`}
        {left_out > 0 && ` ${plural(left_out, 'client')} deleted in the meantime will be left out.`}
      </p>
      {taken > 0 && (
        <Alert tone="warning">
          {plural(taken, 'folder')} cannot be created, since a file has the name.
          <Problems totals={totals} />
        </Alert>
      )}
      {example && (
        <div className="rounded-md border border-line bg-sunken p-3">
          <p className="mb-1.5 text-sm text-muted">
            {many ? 'Example, in ' : 'In '}
            {example.path || 'My Drive'}
          </p>
          <FolderList label={`Folders of ${example.client_name}`} folders={example.folders} />
        </div>
      )}
    </section>
  );
}

const Problems = ({ totals: { problems } }: { totals: Applied }) => (
  <ul className="mt-1 list-disc pl-5">
    {problems.map(({ client_id, client_name, name }) => (
      <li key={`${client_id}/${name}`} className="break-words">
        {client_name}: ‘{name}’
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
