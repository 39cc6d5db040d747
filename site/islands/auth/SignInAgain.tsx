import type { FormEvent } from 'react';
import { useState } from 'react';
import type { UserView } from '#server/auth/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/auth.ts';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { UsernameHint } from '../../components/UsernameHint.tsx';
import type { Outcome } from '../../lib/session.ts';
import { NO_ANSWER, signIn } from '../../lib/session.ts';
import { SignInCode } from './SignInCode.tsx';

/** Over the page whose session ended, so that nothing on it is lost. */
export function SignInAgain({ user }: { user: UserView }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [challenge, setChallenge] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!password) return setError(common.passwordRequired);
    setBusy(true);
    const outcome: Outcome = await signIn(user.email, password).catch(() => ({
      ok: false as const,
      message: NO_ANSWER,
    }));
    setBusy(false);
    if (outcome.ok) return;
    if (outcome.challenge) setChallenge(outcome.challenge);
    else setError(outcome.message);
  }

  return (
    <Dialog title={t.signInAgain} isOpen onOpenChange={() => {}} isKeyboardDismissDisabled hasClose={false}>
      {challenge ? (
        <DialogBody className="pb-5">
          <SignInCode
            challenge={challenge}
            // The session is there again, and with that this dialog goes.
            onDone={() => {}}
            onBack={(why) => {
              setChallenge(undefined);
              setError(why);
            }}
          />
        </DialogBody>
      ) : (
        <form className="contents" noValidate onSubmit={submit}>
          <DialogBody className="flex flex-col gap-4">
            <p className="text-muted">{t.sessionEnded}</p>
            <UsernameHint email={user.email} />
            <PasswordField
              label={t.passwordFor(user.email)}
              autoComplete="current-password"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog must take the focus somewhere
              autoFocus
              value={password}
              onChange={(value) => {
                setPassword(value);
                setError(undefined);
              }}
              error={error}
            />
          </DialogBody>
          <DialogFooter>
            <a href="/login" data-astro-reload className={buttonClass('quiet')}>
              {t.otherAccount}
            </a>
            <Button type="submit" variant="primary" busy={busy} busyLabel={common.signingIn}>
              {common.signIn}
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}
