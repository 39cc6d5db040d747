import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { fieldRules } from '#server/auth/contract.ts';
import * as t from '#messages/auth.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { TextField } from '../../components/TextField.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { useFirstFocus } from '../../components/useFirstFocus.ts';
import type { FieldMessages } from '../../lib/apiError.ts';
import { LINKS, safeNext } from '../../lib/addresses.ts';
import type { Outcome, SecondStep } from '../../lib/signIn.ts';
import { signIn } from '../../lib/signIn.ts';
import { flash, toast } from '../../lib/toast.ts';
import { token } from '../../lib/token.ts';
import { LEAVING, useForm } from '../../lib/useForm.ts';
import { SignInCode } from './SignInCode.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';

const RULES = { email: fieldRules.email, password: fieldRules.current_password };
type Field = keyof typeof RULES;
const LABELS: Record<string, string> = { email: common.email, password: common.password };
const FIELDS = Object.keys(RULES) as Field[];

const check = (field: Field, value: string): string | undefined => {
  const result = v.safeParse(RULES[field], value, { abortPipeEarly: true });
  return result.success ? undefined : result.issues[0].message;
};

/** One toast per entry: 'Email Error', with its messages. */
function toastErrors(errors: FieldMessages): void {
  for (const [field, messages] of Object.entries(errors)) {
    toast.error(t.fieldError(LABELS[field] ?? field), { description: messages.join(', '), duration: 5000 });
  }
}

export interface SignInFormProps {
  next: string | null;
  /** Whether passkeys work at this server's address. */
  passkeys: boolean;
}

function SignInIsland({ next, passkeys }: SignInFormProps) {
  const { banner, busy, form, field, showErrors, showMessage, readValues, submit } = useForm({
    email: '',
    password: '',
  });
  const [second, setSecond] = useState<SecondStep>();
  useFirstFocus(form);

  useEffect(() => {
    // After a sign-in in another tab, this tab leaves the form too.
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === token.key && newValue) location.replace(safeNext(next));
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [next]);

  function welcome({ user }: Extract<Outcome, { ok: true }>): typeof LEAVING {
    flash({ title: t.welcomeBack, description: t.signedInAs(user.name), duration: 3000 });
    location.replace(safeNext(next));
    return LEAVING;
  }

  async function enter() {
    const now = readValues();
    const fieldErrors = Object.fromEntries(FIELDS.map((name) => [name, check(name, now[name])] as const));
    if (FIELDS.some((name) => fieldErrors[name])) return showErrors(fieldErrors);
    const outcome = await signIn(now.email.trim(), now.password);
    if (outcome.ok) return welcome(outcome);
    if (outcome.second) return setSecond(outcome.second);
    if (!outcome.errors) return showMessage(outcome.message || t.checkCredentials, 'password');
    toastErrors(outcome.errors);
    return showErrors(Object.fromEntries(FIELDS.map((name) => [name, outcome.errors?.[name]?.[0]])));
  }

  if (second) {
    const back = (why?: string) => {
      setSecond(undefined);
      showMessage(why);
    };
    return <SignInCode {...second} onDone={welcome} onBack={back} />;
  }
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit(enter, common.noConnection)}
      className="flex flex-col gap-5"
    >
      {banner && <Alert>{banner}</Alert>}
      <TextField
        label={common.email}
        {...field('email')}
        type="email"
        inputMode="email"
        autoComplete="username"
        isRequired
        size="lg"
      />
      <PasswordField
        label={common.password}
        {...field('password')}
        autoComplete="current-password"
        isRequired
        size="lg"
      />
      <a href={LINKS.forgotPassword} className="link -mt-2 self-end text-sm">
        {t.forgotPassword}
      </a>
      <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={common.signingIn}>
        {common.signIn}
      </Button>
      {passkeys && <PasskeyButton isDisabled={busy} onDone={welcome} onFailed={showMessage} />}
    </form>
  );
}

export const SignInForm = withErrorBoundary(SignInIsland);
