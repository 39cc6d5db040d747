import type { FormEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { fieldRules } from '#server/auth/contract.ts';
import * as t from '#messages/auth.ts';
import * as common from '#messages/common.ts';
import { contained } from '../../components/contained.tsx';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useFirstFocus } from '../../components/useFirstFocus.ts';
import type { FieldMessages } from '../../lib/apiError.ts';
import { LINKS, safeNext } from '../../lib/addresses.ts';
import type { Outcome } from '../../lib/session.ts';
import { signIn } from '../../lib/session.ts';
import { flash, toast } from '../../lib/toast.ts';
import { token } from '../../lib/token.ts';
import { SignInCode } from './SignInCode.tsx';

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

function SignInIsland({ next }: { next: string | null }) {
  const [values, setValues] = useState({ email: '', password: '' });
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [banner, setBanner] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [challenge, setChallenge] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus(form);

  useEffect(() => {
    // Signed in from another tab: this one follows.
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === token.key && newValue) location.replace(safeNext(next));
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [next]);

  const edit = (field: Field) => (value: string) => {
    setValues((old) => ({ ...old, [field]: value }));
    setErrors((old) => ({ ...old, [field]: undefined }));
    setBanner(undefined);
  };
  const focus = (field: string) =>
    form.current?.querySelector<HTMLInputElement>(`[name="${field}"]`)?.focus();

  function showErrors(found: Partial<Record<Field, string>>): void {
    setErrors(found);
    const first = FIELDS.find((field) => found[field]);
    if (first) focus(first);
  }

  function welcome({ user }: Extract<Outcome, { ok: true }>): void {
    const description = t.signedInAs(user.name);
    flash({ title: t.welcomeBack, description, duration: 3000 });
    location.replace(safeNext(next));
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    // A password manager may have filled the fields without an event.
    const sent = new FormData(event.currentTarget);
    const now = { email: String(sent.get('email') ?? ''), password: String(sent.get('password') ?? '') };
    setValues(now);
    setBanner(undefined);
    const found = Object.fromEntries(FIELDS.map((field) => [field, check(field, now[field])] as const));
    if (FIELDS.some((field) => found[field])) return showErrors(found);

    setBusy(true);
    try {
      const outcome = await signIn(now.email.trim(), now.password);
      if (outcome.ok) return welcome(outcome);
      if (outcome.challenge) {
        setChallenge(outcome.challenge);
      } else if (outcome.errors) {
        toastErrors(outcome.errors);
        showErrors(Object.fromEntries(FIELDS.map((field) => [field, outcome.errors?.[field]?.[0]])));
      } else {
        setBanner(outcome.message || t.checkCredentials);
        focus('password');
      }
    } catch {
      setBanner(common.noConnection);
    }
    setBusy(false);
  }

  if (challenge) {
    const back = (why?: string) => {
      setChallenge(undefined);
      setBanner(why);
    };
    return <SignInCode challenge={challenge} onDone={welcome} onBack={back} />;
  }
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {banner && <Alert>{banner}</Alert>}
      <TextField
        label={common.email}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        isRequired
        size="lg"
        value={values.email}
        onChange={edit('email')}
        error={errors.email}
      />
      <PasswordField
        label={common.password}
        name="password"
        autoComplete="current-password"
        isRequired
        size="lg"
        value={values.password}
        onChange={edit('password')}
        error={errors.password}
      />
      {LINKS.forgotPassword && (
        <a href={LINKS.forgotPassword} className="link -mt-2 self-end text-sm">
          {t.forgotPassword}
        </a>
      )}
      <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={common.signingIn}>
        {common.signIn}
      </Button>
    </form>
  );
}

export const SignInForm = contained(SignInIsland);
