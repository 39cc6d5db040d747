import { useState } from 'react';
import * as t from '#messages/subscription.ts';
import { Button } from '../../components/Button.tsx';
import { api, messageOf } from '../../lib/api.ts';
import { flash, toast } from '../../lib/toast.ts';

/** Asks the server to look for payments that were made but are not shown. */
export function CheckAgain({ className }: { className?: string }) {
  const [busy, setBusy] = useState(false);

  async function check(): Promise<void> {
    setBusy(true);
    try {
      const { found, pending } = await api.post<{ found: number; pending: boolean }>(
        '/api/subscription/check-payments',
      );
      if (found > 0) {
        flash({ title: t.activated });
        window.location.reload();
        return;
      }
      toast.info(pending ? t.bankPending : t.noOtherPayment);
    } catch (error) {
      toast.error(messageOf(error, t.checkFailed));
    }
    setBusy(false);
  }

  return (
    <Button size="sm" busy={busy} busyLabel={t.checking} onPress={check} {...(className && { className })}>
      {t.checkAgain}
    </Button>
  );
}
