import { Suspense, useState } from 'react';
import { Share2 } from 'lucide-react';
import type { ClientView } from '#server/clients/contract.ts';
import type { FolderListing, ItemView } from '#server/documents/contract.ts';
import { SHARED_AT_ONCE } from '#server/sharing/contract.ts';
import * as t from '#messages/clients.ts';
import * as sharing from '#messages/sharing.ts';
import { ErrorBoundary } from '../../../components/ErrorBoundary.tsx';
import { Button } from '../../../components/Button.tsx';
import { api } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/apiError.ts';
import { lazyWithRetry } from '../../../lib/lazyWithRetry.ts';

const ShareDialog = lazyWithRetry(() => import('../../sharing/ShareDialog.tsx'));

/** The folders of a client that lie in none of the client's; one more than a link can show, so that the server can say so. */
async function topFoldersOf(client_id: number): Promise<ItemView[]> {
  const query = { client_id, limit: SHARED_AT_ONCE + 1 };
  const { items } = await api.get<FolderListing>('/api/documents', { query });
  return items.filter(({ type }) => type === 'folder');
}

/** Shares all that a client has in folders by one link, which the client's own e-mail address opens where it is known. */
export function ShareButton({
  client: { id, email },
  tell,
}: {
  client: ClientView;
  /** Says why it did not work; null takes that back. */
  tell: (fault: string | null) => void;
}) {
  const [folders, setFolders] = useState<ItemView[] | null>(null);
  const [busy, setBusy] = useState(false);
  const close = () => setFolders(null);

  const start = async () => {
    tell(null);
    setBusy(true);
    try {
      const found = await topFoldersOf(id);
      if (found.length > 0) setFolders(found);
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
        {sharing.share}
      </Button>
      <ErrorBoundary fallback={null} resetKey={folders} onError={close}>
        <Suspense fallback={null}>
          {folders && <ShareDialog items={folders} email={email} onClose={close} />}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
