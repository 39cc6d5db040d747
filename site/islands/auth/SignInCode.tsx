import { useState } from 'react';
import { Fingerprint } from 'lucide-react';
import type { SecondWay } from '#server/auth/contract.ts';
import * as t from '#messages/auth.ts';
import * as common from '#messages/common.ts';
import * as passkeys from '#messages/passkeys.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/TextField.tsx';
import { signInWithPasskey } from '../../lib/passkeys.ts';
import type { Outcome, SecondStep } from '../../lib/signIn.ts';
import { NO_ANSWER, orNetworkError, signInWithCode } from '../../lib/signIn.ts';
import { LEAVING, useForm } from '../../lib/useForm.ts';

export interface SignInCodeProps extends SecondStep {
  onDone: (outcome: Extract<Outcome, { ok: true }>) => void;
  /** Returns to the password, with the reason if the user did not ask for it. */
  onBack: (why?: string) => void;
}

type Way = SecondWay | 'recovery';

const ASK = {
  app: { label: t.codeFromApp, description: t.codeFromAppHint },
  recovery: { label: t.recoveryCode, description: t.recoveryCodeHint },
};
const INSTEAD: Record<Way, string> = {
  passkey: passkeys.passkeyInstead,
  app: t.appCodeInstead,
  recovery: t.recoveryCodeInstead,
};

/** The second step of signing in. */
export function SignInCode({ challenge, ways, onDone, onBack }: SignInCodeProps) {
  const all: Way[] = [...ways, 'recovery'];
  const [way, setWay] = useState<Way>(ways.includes('passkey') ? 'passkey' : 'app');
  const { values, banner, busy, form, field, edit, showErrors, showMessage, submit } = useForm({ code: '' });

  async function enter() {
    if (way !== 'passkey' && values.code.trim() === '') return showErrors({ code: common.codeRequired });
    const attempt = way === 'passkey' ? signInWithPasskey(challenge) : signInWithCode(challenge, values.code);
    const outcome = await orNetworkError(attempt);
    if (outcome.ok) {
      onDone(outcome);
      return LEAVING;
    }
    if (outcome.code === 'sign_in_over') return onBack(outcome.message);
    if (outcome.code === 'invalid_code' || outcome.errors) return showErrors({ code: outcome.message });
    return showMessage(outcome.message);
  }

  function swap(to: Way): void {
    setWay(to);
    showMessage(undefined);
    edit('code', '');
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit(enter, NO_ANSWER)}
      className="flex flex-col gap-5"
    >
      {banner && <Alert>{banner}</Alert>}
      {way === 'passkey' ? (
        <p className="text-pretty text-muted">{passkeys.confirmAbout}</p>
      ) : (
        <TextField
          key={way}
          {...ASK[way]}
          {...field('code')}
          size="lg"
          isRequired
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form has just changed under the user's hands
          autoFocus
          autoComplete="one-time-code"
          inputMode={way === 'app' ? 'numeric' : 'text'}
          spellCheck="false"
          autoCorrect="off"
          inputClassName="tabular tracking-[0.15em]"
        />
      )}
      {way === 'passkey' ? (
        <Button
          key="passkey"
          type="submit"
          variant="primary"
          size="lg"
          icon={<Fingerprint aria-hidden size={18} />}
          busy={busy}
          busyLabel={passkeys.waiting}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form has just changed under the user's hands
          autoFocus
        >
          {passkeys.confirm}
        </Button>
      ) : (
        <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={common.signingIn}>
          {common.signIn}
        </Button>
      )}
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-2 text-sm">
        {all
          .filter((other) => other !== way)
          .map((other) => (
            <button key={other} type="button" className="link" onClick={() => swap(other)}>
              {INSTEAD[other]}
            </button>
          ))}
        <button type="button" className="link" onClick={() => onBack()}>
          {t.backToPassword}
        </button>
      </div>
    </form>
  );
}
