import { useState } from 'react';
import * as common from '#messages/common.ts';
import * as t from '#messages/auth.ts';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { api } from '../../lib/api.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { flash } from '../../lib/toast.ts';

/** Acts on a press, not when the page is opened: mail filters open links too. */
function ConfirmIsland({ token, next }: { token: string; next: string }) {
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function confirm(): Promise<void> {
    setBusy(true);
    setAlert(undefined);
    try {
      await api.post('/api/auth/confirm-email', { token }, { anonymous: true });
      flash({ title: t.emailChanged, description: t.signInWithNewEmail });
      location.replace(next);
    } catch (failure) {
      const fieldError =
        failure instanceof ApiError ? Object.values(failure.errors ?? {})[0]?.[0] : undefined;
      setAlert(fieldError ?? messageOf(failure, common.noConnection));
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-col gap-5">
      {alert && <Alert>{alert}</Alert>}
      <Button variant="primary" size="lg" busy={busy} busyLabel={t.confirming} onPress={() => void confirm()}>
        {t.confirmAddress}
      </Button>
    </div>
  );
}

export const ConfirmEmail = withErrorBoundary(ConfirmIsland);
