import { useState } from 'react';
import * as t from '#messages/notMe.ts';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { api } from '../../lib/api.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';

/** Acts on a press, not when the page is opened: mail filters open links too. */
function NotMeIsland({ token }: { token: string }) {
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function end(): Promise<void> {
    setBusy(true);
    setAlert(undefined);
    try {
      const path = '/api/auth/not-me';
      const done = await api.send<{ reset_token: string }>('POST', path, { token }, { anonymous: true });
      location.replace(`/reset-password?token=${done.data.reset_token}`);
    } catch (failure) {
      const fieldError =
        failure instanceof ApiError ? Object.values(failure.errors ?? {})[0]?.[0] : undefined;
      setAlert(fieldError ?? messageOf(failure, t.failed));
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-col gap-5">
      {alert && <Alert>{alert}</Alert>}
      <Button variant="danger" size="lg" busy={busy} busyLabel={t.signingOut} onPress={() => void end()}>
        {t.signOutDevice}
      </Button>
    </div>
  );
}

export const NotMe = withErrorBoundary(NotMeIsland);
