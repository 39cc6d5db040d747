import { Suspense, useEffect } from 'react';
import { useStore } from '@nanostores/react';
// Imported here because the client router removes the style element that sonner adds to the head at run time.
import 'sonner/dist/styles.css';
import { lazyPart, loadAhead } from '../lib/lazyPart.ts';
import { $toasted, showFlash } from '../lib/toast.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';

const loadToasts = async () => ({ default: (await import('./Toasts.tsx')).Toasts });
const Toasts = lazyPart(loadToasts);

/** The container of toasts. Once per page, in the layout; `toast` is in lib/toast.ts. */
export function Toaster() {
  const toasted = useStore($toasted, { ssr: 'initial' });
  useEffect(showFlash, []);
  useEffect(() => loadAhead(loadToasts), []);
  return (
    // Keeps toasts clickable while a dialog makes the rest of the page inert.
    <div data-react-aria-top-layer="true">
      <ErrorBoundary fallback={null}>
        <Suspense>{toasted && <Toasts />}</Suspense>
      </ErrorBoundary>
    </div>
  );
}
