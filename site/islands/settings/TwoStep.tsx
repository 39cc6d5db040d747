import { useState } from 'react';
import type { TwoStepStatus } from '#server/auth/contract.ts';
import * as t from '#messages/settings.ts';
import { Alert } from '../../components/Alert.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { formatDate } from '../../lib/format.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { RenewCodesDialog, SwitchOffDialog } from './TwoStepDialogs.tsx';
import { TwoStepSetup } from './TwoStepSetup.tsx';

type Open = 'setup' | 'off' | 'codes' | null;

export function TwoStep({ status: initial }: { status: TwoStepStatus }) {
  const [status, setStatus] = useState(initial);
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<string[]>();
  const close = () => setOpen(null);

  function gotCodes(fresh: string[]): void {
    setStatus((old) => ({
      enabled_at: old.enabled_at ?? new Date().toISOString(),
      recovery_codes_left: fresh.length,
    }));
    setCodes(fresh);
    close();
  }

  const left = status.recovery_codes_left;
  return (
    <div className="flex flex-col items-start gap-4">
      {status.enabled_at ? (
        <>
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Badge tone="success">{t.on}</Badge>
            <span>{t.codesLeft(formatDate(status.enabled_at), left)}</span>
          </p>
          {left <= 3 && <Alert tone="warning">{left === 0 ? t.noCodes : t.fewCodes}</Alert>}
          <div className="flex flex-wrap gap-2">
            <Button onPress={() => setOpen('codes')}>{t.newCodes}</Button>
            <Button variant="danger-quiet" onPress={() => setOpen('off')}>
              {t.turnOff}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="flex items-center gap-2.5">
            <Badge>{t.off}</Badge>
            <span>{t.passwordAlone}</span>
          </p>
          <Button variant="primary" onPress={() => setOpen('setup')}>
            {t.setUpTwoStep}
          </Button>
        </>
      )}
      {open === 'setup' && <TwoStepSetup onClose={close} onCodes={gotCodes} />}
      {open === 'codes' && <RenewCodesDialog onClose={close} onCodes={gotCodes} />}
      {open === 'off' && (
        <SwitchOffDialog
          onClose={close}
          onDone={() => {
            setStatus({ enabled_at: null, recovery_codes_left: 0 });
            close();
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </div>
  );
}
