import { useState } from 'react';
import type { UserView } from '#server/auth/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/auth.ts';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { UsernameHint } from '../../components/UsernameHint.tsx';
import type { SecondStep } from '../../lib/signIn.ts';
import { NO_ANSWER, orNetworkError, signIn } from '../../lib/signIn.ts';
import { leaveUnsaved } from '../../lib/unsaved.ts';
import { useForm } from '../../lib/useForm.ts';
import { SignInCode } from './SignInCode.tsx';

/**
 * A sign-in dialog over a page whose session has ended, so that unsaved work is kept.
 * @param signedOut whether the user was signed out in another tab; then the page is hidden from whoever comes next.
 */
export function SignInAgain({ user, signedOut }: { user: UserView; signedOut: boolean }) {
  const { values, busy, form, field, showErrors, showMessage, submit } = useForm(
    { password: '' },
    'password',
  );
  const [second, setSecond] = useState<SecondStep>();

  async function enter() {
    if (!values.password) return showErrors({ password: common.passwordRequired });
    const outcome = await orNetworkError(signIn(user.email, values.password));
    if (outcome.ok) return undefined;
    return outcome.second ? setSecond(outcome.second) : showMessage(outcome.message);
  }

  return (
    <Dialog
      title={signedOut ? t.signedOut(user.name) : t.signInAgain}
      isOpen
      onOpenChange={() => {}}
      isKeyboardDismissDisabled
      hasClose={false}
      isCover={signedOut}
    >
      {second ? (
        <DialogBody className="pb-5">
          <SignInCode
            {...second}
            // The restored session removes this dialog.
            onDone={() => {}}
            onBack={(why) => {
              setSecond(undefined);
              showMessage(why);
            }}
          />
        </DialogBody>
      ) : (
        <form ref={form} className="contents" noValidate onSubmit={submit(enter, NO_ANSWER)}>
          <DialogBody className="flex flex-col gap-4">
            <p className="text-muted">{signedOut ? t.signedOutAbout(user.name) : t.sessionEnded}</p>
            <UsernameHint email={user.email} />
            <PasswordField
              label={t.passwordFor(user.email)}
              autoComplete="current-password"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog must take the focus somewhere
              autoFocus
              {...field('password')}
            />
          </DialogBody>
          <DialogFooter>
            <a href="/login" data-astro-reload className={buttonClass('quiet')} onClick={leaveUnsaved}>
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
