import '../preview/preview.css';
import { Suspense } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useQuery } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import type { ItemView, PreviewKind } from '#server/documents/contract.ts';
import { previewKind } from '#server/documents/contract.ts';
import type { VersionView } from '#server/documents/versions/contract.ts';
import { hasStampedPages } from '#server/previews/contract.ts';
import * as common from '#messages/common.ts';
import * as p from '#messages/preview.ts';
import * as t from '#messages/versions.ts';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { may } from '../../lib/permissions.ts';
import { Failure } from '../preview/Failure.tsx';
import { ImageViewer } from '../preview/ImageViewer.tsx';
import { Loading } from '../preview/Loading.tsx';
import { ScanViewer } from '../preview/ScanViewer.tsx';
import { SourceContext } from '../preview/source.ts';
import { TextViewer } from '../preview/TextViewer.tsx';
import { VideoViewer } from '../preview/VideoViewer.tsx';
import { calls, versionUrl } from './calls.ts';

const OfficeViewer = lazyWithRetry(() => import('../preview/OfficeViewer.tsx'));
const PdfViewer = lazyWithRetry(() => import('../preview/PdfViewer.tsx'));
const PagesViewer = lazyWithRetry(() => import('../preview/PagesViewer.tsx'));

const LINKED: ReadonlySet<PreviewKind | null> = new Set<PreviewKind>(['image', 'video', 'pdf', 'text']);
/** Milliseconds for which a link is reused; it is valid for five minutes. */
const LINK_STALE_MS = 240_000;

export interface VersionPreviewProps {
  item: ItemView;
  version: VersionView;
  /** When it was uploaded, in words. */
  moment: string;
  onDownload: () => void;
  onClose: () => void;
}

/** The preview of an earlier version, over everything else. */
export default function VersionPreview({ item, version, moment, onDownload, onClose }: VersionPreviewProps) {
  const ref = { item: item.id, version: version.id ?? 0 };
  const { name, file_type, file_size } = version;
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} className="preview-layer">
      <Modal className="size-full">
        <AriaDialog aria-label={t.previewOf(name, moment)} className="flex size-full flex-col outline-none">
          <header className="flex h-13 shrink-0 items-center gap-3 border-b border-line bg-surface pr-2 pl-4 max-sm:gap-2 max-sm:pl-3">
            <FileGlyph fileType={file_type} size={22} />
            <div className="min-w-0 flex-1">
              <h2 className="flex min-w-0 font-medium">
                <MiddleCut text={name} />
              </h2>
              <p className="tabular truncate text-xs text-muted">{t.versionOf(moment, version.user_name)}</p>
            </div>
            {may('documents.download') && (
              <IconButton label={common.download} onPress={onDownload}>
                <Download aria-hidden size={18} />
              </IconButton>
            )}
            <IconButton label={common.close} onPress={onClose}>
              <X aria-hidden size={18} />
            </IconButton>
          </header>
          <div className="relative min-h-0 flex-1">
            <SourceContext value={versionUrl(ref)}>
              <ErrorBoundary resetKey={version.id}>
                <Suspense fallback={<Loading />}>
                  <Viewer item={{ ...item, name, file_type, file_size }} version={version} />
                </Suspense>
              </ErrorBoundary>
            </SourceContext>
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function Viewer({ item, version }: { item: ItemView; version: VersionView }) {
  const kind = previewKind(item.file_type);
  const onlyLooks = !may('documents.download');
  const ref = { item: item.id, version: version.id ?? 0 };
  const link = useQuery({
    queryKey: ['link', item.id, 'version', version.id],
    queryFn: () => calls.link(ref, { inline: true }),
    enabled: LINKED.has(kind) && !onlyLooks,
    staleTime: LINK_STALE_MS,
    gcTime: LINK_STALE_MS,
    // A new link would open a long PDF at its first page again, and a video at its start.
    refetchOnWindowFocus: false,
  });
  if (onlyLooks)
    return hasStampedPages(item.file_type) ? (
      <PagesViewer item={item} />
    ) : (
      <Failure title={p.notWithoutDownload} />
    );
  if (kind === 'table' || kind === 'document' || kind === 'mail') return <OfficeViewer item={item} />;
  if (kind === 'scan') return <ScanViewer item={item} />;
  if (!LINKED.has(kind)) return <Failure title={p.notPreviewable} />;
  if (link.isError) return <Failure title={p.failed} onRetry={() => void link.refetch()} />;
  if (!link.data) return <Loading />;
  const shown = { item, url: link.data, onRetry: () => void link.refetch() };
  if (kind === 'image') return <ImageViewer {...shown} />;
  if (kind === 'text') return <TextViewer {...shown} />;
  if (kind === 'video') return <VideoViewer {...shown} />;
  return <PdfViewer key={link.data} {...shown} />;
}
