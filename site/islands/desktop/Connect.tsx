import { useState } from 'react';
import * as t from '#messages/desktop.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';

export interface ConnectProps {
  appName: string;
  /** Sent by the program: its local port, the PKCE challenge and the state. */
  port: number;
  challenge: string;
  state: string;
  /** The computer's name; '' when unknown. */
  computer: string;
  firm: string;
  person: string;
}

/** Asks for consent to connect the program on this computer, then sends it a code. */
function ConnectIsland({ appName, port, challenge, state, computer, firm, person }: ConnectProps) {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [alert, setAlert] = useState<string>();

  async function connect(): Promise<void> {
    setBusy(true);
    setAlert(undefined);
    try {
      const { code } = await api.post<{ code: string }>('/api/desktop/authorize', {
        challenge,
        name: computer || null,
      });
      setDone(true);
      // The security policy restricts form submissions to this site, but not navigation.
      location.assign(`http://127.0.0.1:${port}/connected?${new URLSearchParams({ code, state })}`);
    } catch (error) {
      setAlert(messageOf(error, t.connectFailed));
    }
    setBusy(false);
  }

  return (
    <section className="mt-4 max-w-xl rounded-lg border border-line bg-surface p-6">
      <h2 className="text-lg font-semibold break-words">
        {t.connectQuestion(appName, computer || t.thisComputer)}
      </h2>
      <p className="mt-2 text-pretty">{t.connectPermissions(firm, person)}</p>
      <p className="mt-2 text-pretty text-muted">{t.connectWarning}</p>
      {alert && (
        <div className="mt-4">
          <Alert>{alert}</Alert>
        </div>
      )}
      {done ? (
        <p role="status" className="mt-4 font-medium text-pretty">
          {t.connected}
        </p>
      ) : (
        <div className="mt-5 flex flex-wrap gap-2">
          <Button variant="primary" busy={busy} busyLabel={t.connecting} onPress={() => void connect()}>
            {t.connectAction}
          </Button>
          <a href="/dashboard" className={buttonClass('secondary')}>
            {t.cancel}
          </a>
        </div>
      )}
    </section>
  );
}

export const Connect = withErrorBoundary(ConnectIsland);
