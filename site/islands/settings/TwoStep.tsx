import { useState } from 'react';
import type { TwoStepStatus } from '#server/auth/contract.ts';
import * as passkeys from '#messages/passkeys.ts';
import * as t from '#messages/settings.ts';
import { Alert } from '../../components/Alert.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { formatDate } from '../../lib/format.ts';
import { restoreFocus } from '../../lib/keptFocus.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { RenewCodesDialog, SwitchOffDialog } from './TwoStepDialogs.tsx';
import { TwoStepSetup } from './TwoStepSetup.tsx';

/** Gets the focus when the button that opened a dialog has gone with what it changed. */
const FIRST_BUTTON = '#two-step button';

type Open = 'setup' | 'off' | 'codes' | null;

export interface TwoStepProps {
  status: TwoStepStatus;
  /** Whether there are passkeys, which are a second step too, with the same recovery codes. */
  hasPasskeys: boolean;
  onChange: (status: TwoStepStatus) => void;
}

export function TwoStep({ status, hasPasskeys, onChange }: TwoStepProps) {
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<string[]>();
  const close = () => setOpen(null);

  function showCodes(fresh: string[]): void {
    const since = open === 'setup' ? new Date().toISOString() : status.enabled_at;
    onChange({ enabled_at: since, recovery_codes_left: fresh.length });
    setCodes(fresh);
    close();
  }

  const codesLeft = status.recovery_codes_left;
  return (
    <div className="flex flex-col items-start gap-4">
      {status.enabled_at ? (
        <>
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Badge tone="success">{t.on}</Badge>
            <span>{t.codesLeft(formatDate(status.enabled_at), codesLeft)}</span>
          </p>
          {codesLeft <= 3 && <Alert tone="warning">{codesLeft === 0 ? t.noCodes : t.fewCodes}</Alert>}
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
            {hasPasskeys ? <Badge tone="success">{t.on}</Badge> : <Badge>{t.off}</Badge>}
            <span>{hasPasskeys ? passkeys.asksForPasskey : t.passwordAlone}</span>
          </p>
          {hasPasskeys && <p className="text-muted">{passkeys.codesLeft(codesLeft)}</p>}
          {hasPasskeys && codesLeft <= 3 && (
            <Alert tone="warning">{codesLeft === 0 ? t.noCodes : t.fewCodes}</Alert>
          )}
          <div className="flex flex-wrap gap-2">
            <Button variant={hasPasskeys ? 'secondary' : 'primary'} onPress={() => setOpen('setup')}>
              {hasPasskeys ? passkeys.setUpCodes : t.setUpTwoStep}
            </Button>
            {hasPasskeys && <Button onPress={() => setOpen('codes')}>{t.newCodes}</Button>}
          </div>
        </>
      )}
      {open === 'setup' && <TwoStepSetup onClose={close} onCodes={showCodes} />}
      {open === 'codes' && <RenewCodesDialog onClose={close} onCodes={showCodes} />}
      {open === 'off' && (
        <SwitchOffDialog
          onClose={close}
          onDone={() => {
            onChange({ enabled_at: null, recovery_codes_left: hasPasskeys ? codesLeft : 0 });
            close();
            restoreFocus(() => document.querySelector<HTMLElement>(FIRST_BUTTON));
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} focusAfter={FIRST_BUTTON} onClose={() => setCodes(undefined)} />}
    </div>
  );
}
