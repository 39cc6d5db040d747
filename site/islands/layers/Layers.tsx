import { Suspense } from 'react';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { useHydrated } from '../../lib/useHydrated.ts';
import { useItemScreen } from '../items/ItemListModel.ts';

const Dialogs = lazyWithRetry(() => import('./Dialogs.tsx'));
const Preview = lazyWithRetry(() => import('../preview/Preview.tsx'));

const REPLACED = { replace: true };

/** The dialogs and the preview over a screen of items. */
export function Layers() {
  const { dialog, openDialog, previewId, preview } = useItemScreen();
  // Drawn late by the server, it would need a script within the page, which the page's policy forbids.
  const inBrowser = useHydrated();
  return (
    <>
      <ErrorBoundary fallback={null} resetKey={dialog} onError={() => openDialog(null)}>
        <Suspense fallback={null}>{dialog && <Dialogs />}</Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={null} resetKey={previewId} onError={() => preview(null, REPLACED)}>
        <Suspense fallback={null}>{previewId !== null && inBrowser && <Preview />}</Suspense>
      </ErrorBoundary>
    </>
  );
}
