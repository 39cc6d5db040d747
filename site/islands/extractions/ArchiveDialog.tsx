import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Download, LockKeyhole } from 'lucide-react';
import type { EntryView } from '#server/archive/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { plural } from '../../lib/format.ts';
import { calls } from '../drive/calls.ts';
import { archiveCalls, extractions } from './extractions.ts';

const START_FAILED = 'Failed to start ZIP extraction. Please try again.';

/** What a ZIP holds, folder by folder; what is chosen, or all of it, can be extracted, and one file downloaded. */
export function ArchiveDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const [path, setPath] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set());
  const [error, setError] = useState<string | null>(null);
  const look = useQuery({
    queryKey: ['archive', item.id, path],
    queryFn: ({ signal }) => archiveCalls.entries(item.id, path, 0, signal),
    retry: false,
  });
  const view = look.data;
  const failure = look.error ? messageOf(look.error, 'Failed to open the ZIP. Please try again.') : error;

  const choose = (entry: EntryView, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(entry.path);
    else next.delete(entry.path);
    setChosen(next);
  };
  const extract = () => {
    const wish = chosen.size > 0 ? { entries: [...chosen] } : {};
    extractions
      .start(item.id, wish)
      .then(onClose, (failed: unknown) => setError(messageOf(failed, START_FAILED)));
  };
  const save = async (entry: EntryView) => {
    try {
      const url = new URL(await calls.link(item.id), location.href);
      url.pathname = url.pathname.replace(/content$/, 'entry');
      url.searchParams.set('path', entry.path);
      const link = document.createElement('a');
      link.href = url.href;
      link.download = entry.name;
      link.click();
    } catch (failed) {
      setError(messageOf(failed, 'Failed to download file. Please try again.'));
    }
  };

  return (
    <Dialog title={item.name} isOpen onOpenChange={onClose} size="lg" isDismissable>
      <DialogBody className="flex min-h-72 flex-col gap-2">
        <Trail path={path} top={item.name} onOpen={setPath} />
        {failure && <Alert {...(look.error && { onRetry: () => void look.refetch() })}>{failure}</Alert>}
        {look.isPending && <Spinner className="mx-auto my-6" />}
        {view && view.entries.length === 0 && (
          <p className="py-6 text-center text-muted">This folder is empty.</p>
        )}
        {view && view.entries.length > 0 && (
          <ul aria-label="Contents" className="divide-y divide-line">
            {view.entries.map((entry) => (
              <li key={entry.path} className="flex h-10 items-center gap-3" data-entry={entry.path}>
                <Checkbox
                  aria-label={`Choose ${entry.name}`}
                  isSelected={chosen.has(entry.path)}
                  onChange={(on) => choose(entry, on)}
                />
                <FileGlyph fileType={entry.file_type} size={18} />
                {entry.type === 'folder' ? (
                  <button
                    type="button"
                    className="link flex min-w-0 flex-1 text-left"
                    onClick={() => setPath(entry.path)}
                  >
                    <MiddleCut text={entry.name} />
                  </button>
                ) : (
                  <span className="flex min-w-0 flex-1">
                    <MiddleCut text={entry.name} />
                  </span>
                )}
                {entry.encrypted && (
                  <LockKeyhole size={14} className="text-muted" aria-label="Password protected" />
                )}
                <span className="tabular shrink-0 text-sm text-muted">
                  {entry.files === null
                    ? entry.formatted_size
                    : `${plural(entry.files, 'file')} · ${entry.formatted_size}`}
                </span>
                {entry.type === 'file' && !entry.encrypted ? (
                  <IconButton label={`Download ${entry.name}`} size="sm" onPress={() => void save(entry)}>
                    <Download aria-hidden size={16} />
                  </IconButton>
                ) : (
                  <span className="w-7 shrink-0" />
                )}
              </li>
            ))}
          </ul>
        )}
        {view && view.total > view.entries.length && (
          <p className="text-sm text-muted">
            The first {view.entries.length.toLocaleString('en-IN')} of {view.total.toLocaleString('en-IN')}{' '}
            are shown.
          </p>
        )}
      </DialogBody>
      <DialogFooter className="items-center">
        {view && (
          <p className="tabular mr-auto text-sm text-muted">
            {plural(view.files, 'file')} · {view.formatted_bytes}
            {view.skipped_count > 0 && ` · ${view.skipped_count} will be left out`}
          </p>
        )}
        <Button onPress={onClose}>Close</Button>
        <Button variant="primary" onPress={extract} isDisabled={!view}>
          {chosen.size > 0 ? `Extract ${plural(chosen.size, 'chosen item')}` : 'Extract all'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** The way to the folder that is shown. */
function Trail({ path, top, onOpen }: { path: string; top: string; onOpen: (path: string) => void }) {
  const names = path === '' ? [] : path.split('/');
  const steps = [
    { name: top, to: '' },
    ...names.map((name, n) => ({ name, to: names.slice(0, n + 1).join('/') })),
  ];
  return (
    <nav aria-label="Place in the ZIP" className="flex flex-wrap items-center gap-1 text-sm">
      {steps.map(({ name, to }, n) => (
        <span key={to} className="flex min-w-0 items-center gap-1">
          {n > 0 && <ChevronRight aria-hidden size={14} className="text-muted" />}
          {n === steps.length - 1 ? (
            <span aria-current="page" className="break-all">
              {name}
            </span>
          ) : (
            <button type="button" className="link break-all" onClick={() => onOpen(to)}>
              {name}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}
