import { Suspense, useState } from 'react';
import { QrCode } from 'lucide-react';
import * as t from '#messages/drops.ts';
import { ErrorBoundary } from '../../../components/ErrorBoundary.tsx';
import { Button } from '../../../components/Button.tsx';
import { lazyWithRetry } from '../../../lib/lazyWithRetry.ts';

const DropDialog = lazyWithRetry(() => import('../../sharing/DropDialog.tsx'));

/** Opens the dialog of the client's drop link. */
export function DropButton({ client }: { client: { id: number; name: string } }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button data-needs="share" icon={<QrCode aria-hidden size={16} />} onPress={() => setOpen(true)}>
        {t.dropLink}
      </Button>
      <ErrorBoundary fallback={null} resetKey={open} onError={close}>
        <Suspense fallback={null}>{open && <DropDialog client={client} onClose={close} />}</Suspense>
      </ErrorBoundary>
    </>
  );
}
