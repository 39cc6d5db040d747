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
  // Not rendered on the server: streaming a Suspense boundary needs an inline script, which the page's CSP forbids.
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
