import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { ErrorBoundary } from '../../../components/ErrorBoundary.tsx';
import { refresh } from '../../../lib/cache.ts';
import { restoreFocus } from '../../../lib/keptFocus.ts';
import { lazyWithRetry } from '../../../lib/lazyWithRetry.ts';
import { openPage } from '../../../lib/navigation.ts';
import { clientHref } from '../../../lib/search.ts';
import { toast } from '../../../lib/toast.ts';
import type { ClientAction } from '../ClientMenu.tsx';

const ClientDialog = lazyWithRetry(() => import('../ClientDialog.tsx'));
const TemplatesDialog = lazyWithRetry(() => import('../../templates/TemplatesDialog.tsx'));
const FolderDialog = lazyWithRetry(() => import('./FolderDialog.tsx'));
const ClientPeopleDialog = lazyWithRetry(() => import('../../access/ClientPeopleDialog.tsx'));
const HoldDialog = lazyWithRetry(() => import('./HoldDialog.tsx'));
const PortalDialog = lazyWithRetry(() => import('../../sharing/PortalDialog.tsx'));
const AccessDialog = lazyWithRetry(() => import('../../access/AccessDialog.tsx'));

export type OpenDialog = Exclude<ClientAction, 'delete'> | 'folder' | 'people';

interface DialogsProps {
  open: OpenDialog | null;
  client: ClientView;
  /** Whether a legal hold is on the client. */
  held: boolean;
  onClose: () => void;
}

/** The dialogs of a client's page, loaded when they are opened. */
export function Dialogs({ open, client, held, onClose }: DialogsProps) {
  const cache = useQueryClient();
  return (
    <ErrorBoundary fallback={null} resetKey={open} onError={onClose}>
      <Suspense fallback={null}>
        {open === 'edit' && (
          <ClientDialog
            client={client}
            onClose={onClose}
            onSaved={({ id, name }, isNew) => {
              toast.success(isNew ? t.added(name) : t.updated(name));
              void refresh(cache);
              onClose();
              // A client that a colleague deleted meanwhile was added again, and has a page of its own.
              if (isNew) openPage(clientHref(id));
            }}
          />
        )}
        {open === 'template' && <TemplatesDialog clients={[client]} onClose={onClose} />}
        {open === 'hold' && (
          <HoldDialog
            client={client}
            held={held}
            onDone={() => refresh(cache)}
            onClose={() => {
              onClose();
              // The banner with the pressed button is gone once the hold is lifted.
              restoreFocus(() => document.querySelector<HTMLElement>(`[aria-label="${t.moreActions}"]`));
            }}
          />
        )}
        {open === 'people' && <ClientPeopleDialog client={client} onClose={onClose} />}
        {open === 'access' && (
          <AccessDialog of={{ kind: 'client', id: client.id, name: client.name }} onClose={onClose} />
        )}
        {open === 'portal' && <PortalDialog client={client} onClose={onClose} />}
        {open === 'folder' && <FolderDialog client={client} onClose={onClose} />}
      </Suspense>
    </ErrorBoundary>
  );
}
