import { useState } from 'react';
import * as t from '#messages/auth.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/TextField.tsx';
import type { Outcome } from '../../lib/session.ts';
import { NO_ANSWER, answerOf, signInWithCode } from '../../lib/session.ts';
import { LEAVING, useForm } from '../../lib/useForm.ts';

export interface SignInCodeProps {
  challenge: string;
  onDone: (outcome: Extract<Outcome, { ok: true }>) => void;
  /** To the password again; with the reason, when it was not the user's wish. */
  onBack: (why?: string) => void;
}

const ASK = {
  app: { label: t.codeFromApp, description: t.codeFromAppHint },
  recovery: { label: t.recoveryCode, description: t.recoveryCodeHint },
};

/** The second step of signing in. */
export function SignInCode({ challenge, onDone, onBack }: SignInCodeProps) {
  const [kind, setKind] = useState<keyof typeof ASK>('app');
  const { values, banner, busy, form, field, edit, show, tell, submit } = useForm({ code: '' });

  async function enter() {
    if (values.code.trim() === '') return show({ code: common.codeRequired });
    const outcome = await answerOf(signInWithCode(challenge, values.code));
    if (outcome.ok) {
      onDone(outcome);
      return LEAVING;
    }
    if (outcome.code === 'sign_in_over') return onBack(outcome.message);
    if (outcome.code === 'invalid_code' || outcome.errors) return show({ code: outcome.message });
    return tell(outcome.message);
  }

  function swap(): void {
    setKind(kind === 'app' ? 'recovery' : 'app');
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
      <TextField
        key={kind}
        {...ASK[kind]}
        {...field('code')}
        size="lg"
        isRequired
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form has just changed under the user's hands
        autoFocus
        autoComplete="one-time-code"
        inputMode={kind === 'app' ? 'numeric' : 'text'}
        spellCheck="false"
        autoCorrect="off"
        inputClassName="tabular tracking-[0.15em]"
      />
      <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={common.signingIn}>
        {common.signIn}
      </Button>
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-2 text-sm">
        <button type="button" className="link" onClick={swap}>
          {kind === 'app' ? t.recoveryCodeInstead : t.appCodeInstead}
        </button>
        <button type="button" className="link" onClick={() => onBack()}>
          {t.backToPassword}
        </button>
      </div>
    </form>
  );
}
