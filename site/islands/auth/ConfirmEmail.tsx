import { useState } from 'react';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { api } from '../../lib/api.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { flash } from '../../lib/toast.ts';

const FAILED = 'Unable to connect to the server. Please try again.';

/** A press, and not the opening of the page: the programs that look links over in a mailbox open pages too. */
export function ConfirmEmail({ token, next }: { token: string; next: string }) {
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function confirm(): Promise<void> {
    setBusy(true);
    setAlert(undefined);
    try {
      await api.post('/api/auth/confirm-email', { token }, { asNobody: true });
      flash({ title: 'Your e-mail address is changed', description: 'Sign in with it from now on.' });
      location.replace(next);
    } catch (failure) {
      const told = failure instanceof ApiError ? Object.values(failure.errors ?? {})[0]?.[0] : undefined;
      setAlert(told ?? messageOf(failure, FAILED));
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-col gap-5">
      {alert && <Alert>{alert}</Alert>}
      <Button
        variant="primary"
        size="lg"
        busy={busy}
        busyLabel="Confirming..."
        onPress={() => void confirm()}
      >
        Confirm this address
      </Button>
    </div>
  );
}
