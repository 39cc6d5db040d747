import type { ReactNode } from 'react';
import * as t from '#messages/details.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { closeDetails } from '../../lib/detailsPanel.ts';

/** The details over the list. A part of its own, since the first view of a list needs no dialogs. */
export default function Sheet({ children }: { children: ReactNode }) {
  return (
    <Dialog title={t.title} isOpen onOpenChange={closeDetails} isDismissable>
      <div className="relative -mt-1 min-h-40 flex-1 overflow-y-auto pb-2">{children}</div>
    </Dialog>
  );
}
