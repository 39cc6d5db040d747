import './details.css';
import type { FocusEvent, KeyboardEvent } from 'react';
import { Suspense, useRef } from 'react';
import { Info, X } from 'lucide-react';
import * as t from '#messages/details.ts';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { closeDetails, openDetails, toggleDetails, useDetailsMode } from '../../lib/detailsPanel.ts';
import type { DetailsMode } from '../../lib/detailsPanel.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { isKeyboardInUse, isOverlayOpen } from '../../lib/overlay.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { useSubject } from './subject.ts';

const Panel = lazyWithRetry(() => import('./Panel.tsx'));
const Sheet = lazyWithRetry(() => import('./Sheet.tsx'));

export interface DetailsProps {
  /** The open folder, null for 'My Drive'; undefined on a screen that is not a folder. */
  folder?: number | null;
  /** Whether the list is Trash. */
  trash?: boolean;
}

/** The details of the selection: a panel beside the list on wide screens, else a sheet over it. */
export function Details(props: DetailsProps) {
  const shown = useDetailsMode();
  const panel = useRef<HTMLElement>(null);
  /** The element that had the focus before the panel. */
  const previousFocus = useRef<Element | null>(null);

  function close() {
    const inside = panel.current?.contains(document.activeElement);
    closeDetails();
    if (!inside) return;
    const previous = previousFocus.current;
    const canFocus = previous instanceof HTMLElement && previous.isConnected && previous.checkVisibility();
    (canFocus ? previous : document.querySelector<HTMLElement>('.item-grid'))?.focus({ preventScroll: true });
  }
  const handlers = {
    onFocus({ relatedTarget, currentTarget }: FocusEvent) {
      if (!currentTarget.contains(relatedTarget)) previousFocus.current = relatedTarget;
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.defaultPrevented || isOverlayOpen()) return;
      // Esc returns the focus to the list; the screen's own handler would clear the selection.
      event.preventDefault();
      close();
    },
  };

  useDocumentEvent('keydown', (event) => {
    const { key, target, altKey, shiftKey } = event;
    if (key.toLowerCase() !== 'i' || altKey || shiftKey || event.defaultPrevented || isKeyboardInUse(target))
      return;
    event.preventDefault();
    if (shown === null) openDetails();
    else close();
  });

  return (
    <>
      <aside ref={panel} aria-label={t.title} className="details" {...handlers}>
        <header className="flex h-11 shrink-0 items-center gap-2 pr-2 pl-4">
          <h2 className="min-w-0 flex-1 text-sm font-medium text-muted">{t.title}</h2>
          <IconButton label={t.close} shortcut="Esc" size="sm" onPress={close}>
            <X aria-hidden size={16} />
          </IconButton>
        </header>
        <div className="relative min-h-0 flex-1 overflow-y-auto">
          {shown === 'beside' && <Contents {...props} shown={shown} />}
        </div>
      </aside>
      {shown === 'sheet' && (
        <ErrorBoundary>
          <Suspense fallback={null}>
            <Sheet>
              <Contents {...props} shown={shown} />
            </Sheet>
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

function Contents({ folder, trash = false, shown }: DetailsProps & { shown: DetailsMode }) {
  const subject = useSubject(folder);
  return (
    <ErrorBoundary resetKey={subject}>
      <Suspense fallback={null}>
        <Panel subject={subject} shown={shown} trash={trash} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** The button at the end of a screen's bar that toggles the details. */
export function DetailsButton() {
  const shown = useDetailsMode();
  return (
    <IconButton
      label={t.title}
      shortcut="I"
      aria-pressed={shown !== null}
      className="details-button ml-auto"
      onPress={toggleDetails}
    >
      <Info aria-hidden size={18} />
    </IconButton>
  );
}
