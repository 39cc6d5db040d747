import { Suspense, useState } from 'react';
import { Inbox } from 'lucide-react';
import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/requests.ts';
import { ErrorBoundary } from '../../../components/ErrorBoundary.tsx';
import { Button } from '../../../components/Button.tsx';
import { lazyWithRetry } from '../../../lib/lazyWithRetry.ts';

const AskDialog = lazyWithRetry(() => import('../../request-dialogs/AskDialog.tsx'));

/** Opens the dialog for a new request to the client. */
export function AskButton({
  client: { id, name },
  tell,
}: {
  client: ClientView;
  /** Shows a message on the page; null removes it. */
  tell: (message: string | null) => void;
}) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button data-needs="share" icon={<Inbox aria-hidden size={16} />} onPress={() => setOpen(true)}>
        {t.newRequest}
      </Button>
      <ErrorBoundary fallback={null} resetKey={open} onError={close}>
        <Suspense fallback={null}>
          {open && (
            <AskDialog
              clients={[{ id, name }]}
              onClose={close}
              onMade={({ without_email }) => tell(without_email.length > 0 ? t.sendByHand(name) : null)}
            />
          )}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
