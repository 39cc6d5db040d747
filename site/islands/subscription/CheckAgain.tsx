import { useState } from 'react';
import { Button } from '../../components/Button.tsx';
import { api, messageOf } from '../../lib/api.ts';
import { flash, toast } from '../../lib/toast.ts';

/** For who has paid and sees nothing of it. */
export function CheckAgain({ className }: { className?: string }) {
  const [busy, setBusy] = useState(false);

  async function check(): Promise<void> {
    setBusy(true);
    try {
      const { found, pending } = await api.post<{ found: number; pending: boolean }>(
        '/api/subscription/check-payments',
      );
      if (found > 0) {
        flash({ title: 'Subscription activated successfully! Welcome to premium!' });
        window.location.reload();
        return;
      }
      toast.info(
        pending
          ? 'Your bank has not confirmed the payment yet. The plan starts by itself as soon as it does.'
          : 'The gateway knows of no payment that is not shown here.',
      );
    } catch (error) {
      toast.error(messageOf(error, 'The payment could not be looked up. Please try again.'));
    }
    setBusy(false);
  }

  return (
    <Button size="sm" busy={busy} busyLabel="Checking..." onPress={check} {...(className && { className })}>
      I have paid, check again
    </Button>
  );
}
