import { Suspense, useEffect } from 'react';
import { useStore } from '@nanostores/react';
// What sonner puts into the head by itself is gone as soon as the router has moved to another screen.
import 'sonner/dist/styles.css';
import { lazyPart, loadAhead } from '../lib/lazyPart.ts';
import { $toasted, showFlash } from '../lib/toast.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';

const loadToasts = async () => ({ default: (await import('./Toasts.tsx')).Toasts });
const Toasts = lazyPart(loadToasts);

/** Where toasts appear. One per page, in the layout; `toast` comes from lib/toast.ts. */
export function Toaster() {
  const toasted = useStore($toasted, { ssr: 'initial' });
  useEffect(showFlash, []);
  useEffect(() => loadAhead(loadToasts), []);
  return (
    // Stays within reach, and open to a click, while a dialog makes the rest of the page inert.
    <div data-react-aria-top-layer="true">
      <ErrorBoundary fallback={null}>
        <Suspense>{toasted && <Toasts />}</Suspense>
      </ErrorBoundary>
    </div>
  );
}
