import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import * as t from '#messages/subscription.ts';
import { Spinner } from '../../components/Spinner.tsx';
import type { Stage } from './usePayment.ts';

const STAGE_TEXTS: Record<Stage, string> = {
  ordering: t.ordering,
  paying: t.paying,
  verifying: t.verifying,
};

/** Covers the page during a payment; the gateway's window opens above it. */
export function PayingOverlay({ stage }: { stage: Stage }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Not a modal dialog: it would make the gateway's window inert and compete for the focus.
    const behind = [
      ...document.querySelectorAll<HTMLElement>('.sidebar, .app-column, .bottom-bar, .skip-link'),
    ];
    for (const element of behind) element.inert = true;
    box.current?.focus();
    return () => {
      for (const element of behind) element.inert = false;
    };
  }, []);
  return createPortal(
    <div
      ref={box}
      tabIndex={-1}
      role="alertdialog"
      aria-labelledby="paying-title"
      aria-describedby="paying-doing"
      className="fixed inset-0 z-50 flex animate-appear flex-col items-center justify-center gap-3 bg-canvas/95 p-6 text-center outline-none"
    >
      <Spinner size={32} className="text-accent-text" />
      <p id="paying-title" className="text-lg font-semibold">
        {t.dontClose}
      </p>
      <p id="paying-doing" aria-live="polite" className="text-muted">
        {STAGE_TEXTS[stage]}
      </p>
    </div>,
    document.body,
  );
}
