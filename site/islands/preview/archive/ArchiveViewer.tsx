import './archive.css';
import type { KeyboardEvent } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { EntryView } from '#server/archive/contract.ts';
import { MAX_CHOSEN, TOO_MANY_CHOSEN } from '#server/archive/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { ItemView } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import { extract as extractAction } from '#messages/items.ts';
import * as t from '#messages/preview.ts';
import { Alert } from '../../../components/Alert.tsx';
import { Breadcrumbs } from '../../../components/Breadcrumbs.tsx';
import { Button } from '../../../components/Button.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { SearchField } from '../../../components/SearchField.tsx';
import { messageOf } from '../../../lib/apiError.ts';
import { may } from '../../../lib/permissions.ts';
import { ItemList } from '../../items/ItemList.tsx';
import { ItemListContext } from '../../items/ItemListModel.ts';
import { Failure } from '../Failure.tsx';
import { SelectionStatus } from '../../items/BulkBar.tsx';
import { SkippedDialog } from '../../archive/SkippedDialog.tsx';
import { mayUnpack } from '../../seals/mayUnpack.ts';
import { START_FAILED, extractions } from '../../archive/extractions.ts';
import type { EntryItem } from './entries.ts';
import { crumbsTo, folderOf, requestFor } from './entries.ts';
import { ArchiveEmptyState } from './ArchiveEmptyState.tsx';
import { PasswordDialog } from '../../archive/PasswordDialog.tsx';
import { saveEntry } from './saveEntry.ts';
import { useArchive } from './useArchive.ts';

/** The entries of a ZIP. All or the selected ones can be extracted, and a single file downloaded. */
export default function ArchiveViewer({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [unlocking, setUnlocking] = useState<EntryView | null>(null);
  const [asking, setAsking] = useState<'password' | 'skipped' | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);

  const save = useCallback(
    ({ entry }: EntryItem) => {
      if (!may('documents.download')) return setError(t.notWithoutDownload);
      setError(null);
      if (entry.encrypted) return setUnlocking(entry);
      saveEntry(item.id, entry).catch((failed: unknown) => setError(messageOf(failed, t.downloadFailed)));
    },
    [item.id],
  );
  const archive = useArchive(item, save);
  const { path, search, view, chosen, model } = archive;

  const request = requestFor(chosen, { path, search, total: view?.total ?? 0 });
  async function extract() {
    if ((request.entries?.length ?? 0) > MAX_CHOSEN) return setError(TOO_MANY_CHOSEN);
    const locked = chosen.length > 0 ? chosen.some(({ entry }) => entry.encrypted) : view?.encrypted;
    if (locked) return setAsking('password');
    setBusy(true);
    try {
      await extractions.start(item.id, request);
      onClose();
    } catch (failed) {
      setError(messageOf(failed, START_FAILED));
      setBusy(false);
    }
  }

  const ready = view !== undefined;
  useEffect(() => {
    // The focus is on the layer when the preview opens: move it to the list.
    if (ready && document.activeElement?.contains(sheet.current)) {
      sheet.current?.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
    }
  }, [ready]);

  function onKeyDown(event: KeyboardEvent) {
    const inField = event.target === field.current;
    const act: Record<string, (() => void) | false> = {
      Escape: chosen.length > 0 ? archive.clear : archive.text !== '' && (() => archive.setText('')),
      // The preview's own shortcut would apply to the whole ZIP.
      Delete: !inField && (() => {}),
      '/': !inField && (() => field.current?.focus()),
      Backspace: !inField && path !== '' && (() => archive.open(folderOf(path))),
      // The drive's shortcuts are inactive under a layer, so they are handled here.
      'Ctrl+a': !inField && (() => model.send({ type: 'all', order: model.rows.order })),
    };
    const does = act[event.ctrlKey || event.metaKey ? `Ctrl+${event.key.toLowerCase()}` : event.key];
    if (!does || event.defaultPrevented || !sheet.current?.contains(event.target as Node)) return;
    event.preventDefault();
    // The same key closes the layer, so it must not propagate.
    event.stopPropagation();
    does();
  }

  const bytes = chosen.reduce((sum, { entry }) => sum + entry.size, 0);
  const failure = archive.error ?? error;
  if (archive.error !== null && !view) {
    return (
      <Failure title={archive.error} item={item} {...(!archive.refused && { onRetry: archive.retry })} />
    );
  }
  return (
    <ItemListContext value={model}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys for all that stands within */}
      <div
        ref={sheet}
        role="group"
        aria-label={t.zipContents}
        className="zip-sheet"
        onPointerDownCapture={archive.onPointerDownCapture}
        onKeyDown={onKeyDown}
      >
        <div className="flex shrink-0 items-center gap-3 px-4 pt-3 pb-2 max-sm:flex-col max-sm:items-stretch max-sm:gap-2">
          <Breadcrumbs
            crumbs={crumbsTo(path, location.href)}
            onAction={(to) => archive.open(String(to))}
            className="-ml-1.5 flex-1"
          />
          <SearchField
            label={t.findInZip}
            placeholder={t.findInZip}
            value={archive.text}
            onChange={archive.setText}
            inputRef={field}
            className="w-64 max-sm:w-full"
          />
        </div>
        {failure && (
          <Alert
            className="mx-4 mb-2"
            {...(archive.error
              ? { onRetry: archive.retry, retrying: archive.retrying }
              : { onDismiss: () => setError(null) })}
          >
            {failure}
          </Alert>
        )}
        <div
          ref={scroller}
          className="relative min-h-0 flex-1 overflow-y-auto px-4"
          aria-busy={archive.stale}
          data-stale={archive.stale}
        >
          {archive.loading && <LoadingRows />}
          {view?.total === 0 && <ArchiveEmptyState view={view} search={search} />}
          {view && view.total > 0 && (
            <ItemList scroller={scroller} label={search ? t.resultsFor(search) : path || item.name} />
          )}
        </div>
        <footer className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-3">
          {view && (
            <p className="tabular min-w-0 flex-1 text-sm text-muted">
              {chosen.length > 0
                ? t.chosen(chosen.length, formatBytes(bytes))
                : [t.fileCount(view.files), view.formatted_bytes, view.encrypted && t.protectedNote]
                    .filter(Boolean)
                    .join(' · ')}
              {chosen.length === 0 && view.skipped_count > 0 && (
                <>
                  {' · '}
                  <button type="button" className="link" onClick={() => setAsking('skipped')}>
                    {t.willBeSkipped(view.skipped_count)}
                  </button>
                </>
              )}
            </p>
          )}
          {chosen.length > 0 && <Button onPress={archive.clear}>{t.clear}</Button>}
          {mayUnpack(item) && may('documents.download') && (
            <Button
              variant="primary"
              className="ml-auto"
              busy={busy}
              isDisabled={!view || view.files + view.folders === 0}
              onPress={() => void extract()}
            >
              {chosen.length > 0 ? t.extractChosen(chosen.length) : t.extractAll}
            </Button>
          )}
        </footer>
      </div>
      <SelectionStatus />
      {unlocking && (
        <PasswordDialog
          name={unlocking.name}
          action={common.download}
          onPassword={(password) => saveEntry(item.id, unlocking, password)}
          onClose={() => setUnlocking(null)}
        />
      )}
      {asking === 'password' && (
        <PasswordDialog
          name={item.name}
          action={extractAction}
          onPassword={(password) => extractions.start(item.id, { ...request, password }).then(onClose)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'skipped' && view && (
        <SkippedDialog name={item.name} {...view} onClose={() => setAsking(null)} />
      )}
    </ItemListContext>
  );
}
