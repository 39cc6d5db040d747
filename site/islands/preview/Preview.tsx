import './preview.css';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { PreviewKind } from '#server/documents/contract.ts';
import { previewKind } from '#server/documents/contract.ts';
import { hasStampedPages } from '#server/previews/contract.ts';
import * as t from '#messages/preview.ts';
import * as common from '#messages/common.ts';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { markViewed } from '../../lib/viewedFiles.ts';
import { restoreFocus } from '../../lib/keptFocus.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { useItemScreen } from '../items/ItemListModel.ts';
import { $fieldsPanelOpen, $highlight } from '../../lib/fields.ts';
import { isLayerEntry, replaceUrl } from '../../lib/browserHistory.ts';
import { openPage } from '../../lib/navigation.ts';
import { parseRequestId, requestHref } from '../../lib/requestAddress.ts';
import { may } from '../../lib/permissions.ts';
import { useDelayed } from '../../lib/useDelayed.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { Failure } from './Failure.tsx';
import { isElsewhere } from './isElsewhere.ts';
import { undoLast } from '../../lib/undo.ts';
import { isUndo, nothingToUndo } from '../../lib/undoKey.ts';
import { lastAct } from './lastAct.ts';
import { Loading } from './Loading.tsx';
import { NotHere } from './NotHere.tsx';
import { PictureViewer } from './PictureViewer.tsx';
import { PreviewHeader } from './PreviewHeader.tsx';
import { ScanViewer } from './ScanViewer.tsx';
import { TextViewer } from './TextViewer.tsx';
import { useRequestFiles } from './useRequestFiles.ts';
import { VideoViewer } from './VideoViewer.tsx';

const OfficeViewer = lazyWithRetry(() => import('./OfficeViewer.tsx'));
const PdfViewer = lazyWithRetry(() => import('./PdfViewer.tsx'));
const PagesViewer = lazyWithRetry(() => import('./PagesViewer.tsx'));
const PreviewFields = lazyWithRetry(() => import('./PreviewFields.tsx'));
const PreviewRequest = lazyWithRetry(() => import('./PreviewRequest.tsx'));
const ArchiveViewer = lazyWithRetry(() => import('./archive/ArchiveViewer.tsx'));

/** Kinds that the server converts; the browser gets only the result. */
const BY_SERVER: ReadonlySet<PreviewKind> = new Set(['scan', 'archive', 'table', 'document', 'mail']);
/** Milliseconds for which a link is reused; it is valid for five minutes. */
const LINK_STALE_MS = 240_000;
const REPLACED = { replace: true };

/** The preview of the file named in the URL, a layer over the listing. */
export default function Preview() {
  const { previewId, preview, rows, send, actions, openDialog } = useItemScreen();
  const item = previewId === null ? undefined : rows.byId.get(previewId);
  const kind = item ? previewKind(item.file_type) : null;
  const onlyLooks = !may('documents.download');
  const linked = kind !== null && !BY_SERVER.has(kind) && !onlyLooks;
  const isOffice = !onlyLooks && (kind === 'table' || kind === 'document' || kind === 'mail');
  const fields = useStore($fieldsPanelOpen, { ssr: 'initial' });
  /** Whether the values were opened by a key, which then goes on among them. */
  const [valuesTakeFocus, setValuesTakeFocus] = useState(false);
  const toggleFields = (byKey: boolean) => {
    setValuesTakeFocus(byKey && !fields);
    $fieldsPanelOpen.set(!fields);
  };
  const layer = useRef<HTMLDivElement>(null);
  // Before a focus that was in the closed panel is drawn to the first control of the preview.
  useLayoutEffect(() => {
    if (!fields && document.activeElement === document.body) layer.current?.focus();
  }, [fields]);
  const link = useQuery({
    queryKey: ['link', item?.id, item?.modified_at],
    queryFn: () => documentCalls.downloadUrl(item?.id ?? 0, { inline: true }),
    enabled: linked,
    staleTime: LINK_STALE_MS,
    gcTime: LINK_STALE_MS,
    // A new link would open a long PDF at its first page again, and a video at its start.
    refetchOnWindowFocus: false,
  });
  const waiting = useDelayed(link.isPending && linked, 150);

  /** The request from which the file was opened, to accept it or to send it back there. */
  const [requestId] = useState(() => parseRequestId(location.search));
  const asked = useRequestFiles(requestId);
  const listed = rows.items.filter((item) => item.type === 'file');
  // From a request the next file is that of its next document, not of the folder's next name.
  const files =
    previewId !== null && asked.includes(previewId)
      ? asked.flatMap((id) => listed.find((file) => file.id === id) ?? [])
      : listed;
  const index = files.findIndex((file) => file.id === previewId);
  const show = (id: number) => {
    preview(id, REPLACED);
    if (requestId === null) return;
    // For a reload.
    const query = new URLSearchParams(location.search);
    query.set('request', String(requestId));
    replaceUrl(`${location.pathname}?${query}`);
  };
  const to = (step: number) => {
    const next = files[index + step];
    if (index < 0 || !next) return;
    send({ type: 'only', id: next.id });
    show(next.id);
  };
  const closed = useRef(false);
  const close = () => {
    // Closing twice would go back twice.
    if (closed.current) return;
    closed.current = true;
    if (requestId !== null) openPage(requestHref(requestId), REPLACED);
    else if (isLayerEntry()) history.back();
    else preview(null, REPLACED);
  };
  const aboutSeal = () => item && openDialog({ dialog: 'seal', item });
  const remove = async () => {
    if (!item) return;
    const next = files[index + 1] ?? files[index - 1];
    if (!(await actions.remove([item]))) return;
    if (next) show(next.id);
    else close();
  };

  /** The file being moved from the preview; when it leaves the list, the preview closes. */
  const [moving, setMoving] = useState<number | null>(null);
  const move = () => {
    if (!item) return;
    setMoving(item.id);
    openDialog({ dialog: 'move', items: [item] });
  };
  const moved = rows.ready && !item && previewId !== null && moving === previewId;
  useEffect(() => {
    if (moved) close();
  });

  useEffect(() => {
    if (previewId === null) return;
    layer.current?.focus();
    markViewed(previewId);
  }, [previewId]);
  // What had the focus before may be gone, such as a row that was scrolled away: arrows then move in the list all the same.
  useEffect(
    () => () =>
      restoreFocus(() => {
        document.querySelector<HTMLElement>('.item-grid')?.focus({ preventScroll: true });
        return null;
      }),
    [],
  );
  useEffect(
    () => () => {
      // A value of a file that is closed would be changed unseen.
      if (lastAct.current?.what === 'answered') lastAct.current = null;
    },
    [],
  );
  // A highlight does not carry over to the next opening of the file.
  useEffect(() => () => $highlight.set(null), []);

  useDocumentEvent('keydown', (event) => {
    if (event.defaultPrevented || isElsewhere(event)) return;
    if (event.target instanceof Element && event.target.closest('[role="slider"], video')) return;
    const act: Record<string, () => void> = {
      Escape: close,
      ArrowLeft: () => to(-1),
      ArrowRight: () => to(1),
      i: () => toggleFields(true),
      ...(may('documents.delete') && { Delete: () => (item?.seal ? aboutSeal() : void remove()) }),
      ...(may('documents.write') && {
        F2: () => (item?.seal ? aboutSeal() : item && openDialog({ dialog: 'rename', items: [item] })),
      }),
    };
    const last = lastAct.current;
    if (last?.what === 'answered' && isUndo(event)) {
      event.preventDefault();
      lastAct.current = null;
      return void last.takeBack();
    }
    if (!last && isUndo(event)) {
      event.preventDefault();
      // Such as a rename, of which a toast over the preview tells.
      return void (undoLast() || event.repeat || nothingToUndo());
    }
    const does = act[event.key];
    if (!does || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    does();
  });

  function body() {
    if (!item) {
      return rows.ready && previewId !== null ? <NotHere id={previewId} onClose={close} /> : <Loading />;
    }
    // Remounts the viewer when the file's content is replaced.
    const content = `${item.id} ${item.modified_at}`;
    if (onlyLooks && kind !== 'archive') {
      if (!hasStampedPages(item.file_type)) return <Failure title={t.notWithoutDownload} item={item} />;
      return (
        <ErrorBoundary resetKey={content}>
          <Suspense fallback={<Loading />}>
            <PagesViewer key={content} item={item} />
          </Suspense>
        </ErrorBoundary>
      );
    }
    if (kind === null) return <Failure title={t.notPreviewable} item={item} />;
    if (kind === 'archive') {
      return (
        <ErrorBoundary resetKey={content}>
          <Suspense fallback={<Loading />}>
            <ArchiveViewer key={content} item={item} onClose={close} />
          </Suspense>
        </ErrorBoundary>
      );
    }
    if (isOffice) {
      return (
        <ErrorBoundary resetKey={content}>
          <Suspense fallback={<Loading />}>
            <OfficeViewer key={content} item={item} />
          </Suspense>
        </ErrorBoundary>
      );
    }
    if (kind === 'scan') return <ScanViewer key={content} item={item} />;
    if (link.isError) {
      return <Failure title={t.failed} item={item} onRetry={() => void link.refetch()} />;
    }
    if (!link.data) return waiting ? <Loading /> : null;
    const shown = { item, url: link.data, onRetry: () => void link.refetch() };
    if (kind === 'image') return <PictureViewer key={content} {...shown} />;
    if (kind === 'text') return <TextViewer key={content} {...shown} />;
    if (kind === 'video') return <VideoViewer key={content} {...shown} />;
    return (
      <ErrorBoundary resetKey={link.data}>
        <Suspense fallback={<Loading />}>
          <PdfViewer key={link.data} {...shown} />
        </Suspense>
      </ErrorBoundary>
    );
  }

  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && close()} className="preview-layer">
      <Modal className="size-full">
        <AriaDialog
          aria-label={item ? t.previewOf(item.name) : common.preview}
          className="size-full outline-none"
        >
          <div ref={layer} tabIndex={-1} className="flex size-full flex-col outline-none">
            <PreviewHeader
              item={item}
              index={index}
              count={files.length}
              ofRequest={requestId !== null}
              turns={isOffice}
              onFields={toggleFields}
              onTurn={to}
              onClose={close}
              onRemove={() => void remove()}
              onMove={move}
            />
            {requestId !== null && item && (
              <ErrorBoundary resetKey={item.id} fallback={null}>
                <Suspense fallback={null}>
                  <PreviewRequest key={item.id} requestId={requestId} itemId={item.id} />
                </Suspense>
              </ErrorBoundary>
            )}
            <div className="flex min-h-0 flex-1">
              <div className="relative min-w-0 flex-1">
                {body()}
                {!isOffice && (
                  <>
                    {index > 0 && <Turn by={-1} onTurn={to} />}
                    {index >= 0 && index < files.length - 1 && <Turn by={1} onTurn={to} />}
                  </>
                )}
              </div>
              {fields && item && (
                <ErrorBoundary resetKey={item.id}>
                  <Suspense fallback={null}>
                    <PreviewFields
                      item={item}
                      takesFocus={valuesTakeFocus}
                      onFocused={() => setValuesTakeFocus(false)}
                    />
                  </Suspense>
                </ErrorBoundary>
              )}
            </div>
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function Turn({ by, onTurn }: { by: 1 | -1; onTurn: (by: number) => void }) {
  const label = by > 0 ? t.nextFile : t.previousFile;
  const Icon = by > 0 ? ChevronRight : ChevronLeft;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => onTurn(by)}
      className={`preview-turn ${by > 0 ? 'right-3' : 'left-3'}`}
    >
      <Icon aria-hidden size={22} />
    </button>
  );
}
