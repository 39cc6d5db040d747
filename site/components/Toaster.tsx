import { Suspense, useEffect } from 'react';
import { useStore } from '@nanostores/react';
// Imported here because the client router removes the style element that sonner adds to the head at run time.
import 'sonner/dist/styles.css';
import { lazyWithRetry, preload } from '../lib/lazyWithRetry.ts';
import { $hasToasts, loadToasts, showFlash } from '../lib/toast.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';

const loadContainer = async () => ({ default: (await import('./Toasts.tsx')).Toasts });
const Toasts = lazyWithRetry(loadContainer);

/** The container of toasts. Once per page, in the layout; `toast` is in lib/toast.ts. */
export function Toaster() {
  const toasted = useStore($hasToasts, { ssr: 'initial' });
  useEffect(showFlash, []);
  useEffect(() => preload(loadToasts, loadContainer), []);
  return (
    // Keeps toasts clickable while a dialog makes the rest of the page inert.
    <div data-react-aria-top-layer="true">
      <ErrorBoundary fallback={null}>
        <Suspense>{toasted && <Toasts />}</Suspense>
      </ErrorBoundary>
    </div>
  );
}
