import { useState } from 'react';
import { Fingerprint } from 'lucide-react';
import * as t from '#messages/passkeys.ts';
import { Button } from '../../components/Button.tsx';
import { supportsPasskeys, signInWithPasskey } from '../../lib/passkeys.ts';
import type { Outcome } from '../../lib/signIn.ts';
import { NO_ANSWER, orNetworkError } from '../../lib/signIn.ts';
import { useHydrated } from '../../lib/useHydrated.ts';

export interface PasskeyButtonProps {
  isDisabled: boolean;
  onDone: (outcome: Extract<Outcome, { ok: true }>) => void;
  onFailed: (why: string) => void;
}

/** Signs in with a passkey alone: the browser lists the accounts that it has passkeys for. */
export function PasskeyButton({ isDisabled, onDone, onFailed }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false);
  // The server renders the button; a browser without passkey support removes it.
  if (useHydrated() && !supportsPasskeys()) return null;

  async function enter(): Promise<void> {
    setBusy(true);
    const outcome = await orNetworkError(signInWithPasskey());
    if (outcome.ok) return onDone(outcome);
    setBusy(false);
    return onFailed(outcome.message || NO_ANSWER);
  }

  return (
    <>
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t.or}
      </p>
      <Button
        size="lg"
        icon={<Fingerprint aria-hidden size={18} />}
        busy={busy}
        busyLabel={t.waiting}
        isDisabled={isDisabled}
        onPress={() => void enter()}
      >
        {t.signIn}
      </Button>
    </>
  );
}
