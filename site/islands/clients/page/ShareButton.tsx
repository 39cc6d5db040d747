import { Suspense, useState } from 'react';
import { Share2 } from 'lucide-react';
import type { ClientView } from '#server/clients/contract.ts';
import type { FolderListing, ItemView } from '#server/documents/contract.ts';
import { MAX_SHARED_ITEMS } from '#server/sharing/contract.ts';
import * as t from '#messages/clients.ts';
import { share } from '#messages/items.ts';
import * as sharing from '#messages/sharing.ts';
import { ErrorBoundary } from '../../../components/ErrorBoundary.tsx';
import { Button } from '../../../components/Button.tsx';
import { api } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/apiError.ts';
import { lazyWithRetry } from '../../../lib/lazyWithRetry.ts';

const ShareDialog = lazyWithRetry(() => import('../../sharing/ShareDialog.tsx'));

/** The client's top-level folders. One more than a link can have, so that the server can report too many. */
async function topFoldersOf(client_id: number): Promise<ItemView[]> {
  const query = { client_id, limit: MAX_SHARED_ITEMS + 1 };
  const { items } = await api.get<FolderListing>('/api/documents', { query });
  return items.filter(({ type }) => type === 'folder');
}

/** Shares all folders of a client by one link, addressed to the client's e-mail address if there is one. */
export function ShareButton({
  client: { id, email },
  tell,
}: {
  client: ClientView;
  /** Shows an error on the page; null removes it. */
  tell: (error: string | null) => void;
}) {
  const [folders, setFolders] = useState<ItemView[] | null>(null);
  const [busy, setBusy] = useState(false);
  const close = () => setFolders(null);

  const start = async () => {
    tell(null);
    setBusy(true);
    try {
      const topFolders = await topFoldersOf(id);
      if (topFolders.length > 0) setFolders(topFolders);
      else tell(t.nothingToShare);
    } catch (error) {
      tell(messageOf(error, sharing.failed));
    }
    setBusy(false);
  };

  return (
    <>
      <Button
        data-needs="share"
        icon={<Share2 aria-hidden size={16} />}
        busy={busy}
        onPress={() => void start()}
      >
        {share}
      </Button>
      <ErrorBoundary fallback={null} resetKey={folders} onError={close}>
        <Suspense fallback={null}>
          {folders && <ShareDialog items={folders} email={email} onClose={close} />}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
