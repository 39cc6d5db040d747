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

/** Creates a code to type into the program, for when it cannot open this browser. */
function PairingCodeIsland({ address, mayUpload }: { address: string; mayUpload: boolean }) {
  const [pairing, setPairing] = useState<Code>();
  const [expired, setExpired] = useState(false);
  const [busy, setBusy] = useState(false);
  const [alert, setAlert] = useState<string>();

  useEffect(() => {
    if (!pairing) return undefined;
    const timer = setTimeout(() => setExpired(true), pairing.expires_in * 1000);
    return () => clearTimeout(timer);
  }, [pairing]);

  async function create(): Promise<void> {
    setBusy(true);
    setAlert(undefined);
    try {
      setPairing(await api.post<Code>('/api/desktop/authorize', {}));
      setExpired(false);
    } catch (error) {
      setAlert(messageOf(error, t.codeFailed));
    }
    setBusy(false);
  }

  if (!mayUpload) return <p className="text-muted">{t.uploadNotAllowed}</p>;
  return (
    <div className="flex flex-col items-start gap-4">
      {alert && <Alert>{alert}</Alert>}
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <div>
          <dt className="text-sm text-muted">{t.address}</dt>
          <dd className="mt-0.5 font-mono break-all select-all">{address}</dd>
        </div>
        {pairing && !expired && (
          <div>
            <dt className="text-sm text-muted">{t.code}</dt>
            <dd className="mt-0.5 font-mono text-xl font-semibold tracking-widest select-all">
              <span role="status" data-code>
                {pairing.code.slice(0, 4)}-{pairing.code.slice(4)}
              </span>
            </dd>
          </div>
        )}
      </dl>
      {pairing && (
        <p className="max-w-xl text-sm text-pretty text-muted" role={expired ? 'status' : undefined}>
          {expired ? t.codeExpired : t.codeAbout(pairing.expires_in / 60)}
        </p>
      )}
      <Button busy={busy} onPress={() => void create()}>
        {pairing ? t.newCode : t.createCode}
      </Button>
    </div>
  );
}

export const PairingCode = withErrorBoundary(PairingCodeIsland);
