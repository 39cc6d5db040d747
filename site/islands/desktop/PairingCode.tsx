import { useEffect, useState } from 'react';
import * as t from '#messages/desktop.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';

interface Code {
  code: string;
  expires_in: number;
}

/** A code for the program, for where it cannot open this browser. */
function PairingCodeIsland({ address, may }: { address: string; may: boolean }) {
  const [made, setMade] = useState<Code>();
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [alert, setAlert] = useState<string>();

  useEffect(() => {
    if (!made) return undefined;
    const timer = setTimeout(() => setOver(true), made.expires_in * 1000);
    return () => clearTimeout(timer);
  }, [made]);

  async function create(): Promise<void> {
    setBusy(true);
    setAlert(undefined);
    try {
      setMade(await api.post<Code>('/api/desktop/authorize', {}));
      setOver(false);
    } catch (error) {
      setAlert(messageOf(error, t.codeFailed));
    }
    setBusy(false);
  }

  if (!may) return <p className="text-muted">{t.mayNot}</p>;
  return (
    <div className="flex flex-col items-start gap-4">
      {alert && <Alert>{alert}</Alert>}
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <div>
          <dt className="text-sm text-muted">{t.address}</dt>
          <dd className="mt-0.5 font-mono break-all select-all">{address}</dd>
        </div>
        {made && !over && (
          <div>
            <dt className="text-sm text-muted">{t.code}</dt>
            <dd className="mt-0.5 font-mono text-xl font-semibold tracking-widest select-all">
              <span role="status" data-code>
                {made.code.slice(0, 4)}-{made.code.slice(4)}
              </span>
            </dd>
          </div>
        )}
      </dl>
      {made && (
        <p className="max-w-xl text-sm text-pretty text-muted" role={over ? 'status' : undefined}>
          {over ? t.codeOver : t.codeAbout(made.expires_in / 60)}
        </p>
      )}
      <Button busy={busy} onPress={() => void create()}>
        {made ? t.newCode : t.createCode}
      </Button>
    </div>
  );
}

export const PairingCode = withErrorBoundary(PairingCodeIsland);
