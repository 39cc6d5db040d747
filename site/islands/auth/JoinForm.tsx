import * as v from 'valibot';
import type { SignedIn } from '#server/auth/contract.ts';
import { fieldRules } from '#server/auth/contract.ts';
import { confirmPassword } from '#messages/auth.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/team.ts';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useFirstFocus } from '../../components/useFirstFocus.ts';
import { api } from '../../lib/api.ts';
import { token as session } from '../../lib/token.ts';
import { useForm } from '../../lib/useForm.ts';

const EMPTY = { name: '', password: '', password_confirmation: '' };

function check(values: typeof EMPTY): Partial<typeof EMPTY> {
  const name = v.safeParse(fieldRules.name, values.name, { abortPipeEarly: true });
  const password = v.safeParse(fieldRules.password, values.password, { abortPipeEarly: true });
  return {
    ...(!name.success && { name: name.issues[0].message }),
    ...(!password.success && { password: password.issues[0].message }),
    ...(values.password !== values.password_confirmation && {
      password_confirmation: common.passwordsDiffer,
    }),
  };
}

export interface JoinFormProps {
  token: string;
  /** The invited address; it cannot be changed. */
  email: string;
  /** Whether the firm requires two-step sign-in. */
  twoStep: boolean;
}

function JoinIsland({ token, email, twoStep }: JoinFormProps) {
  const { values, errors, banner, busy, form, edit, showErrors, submit } = useForm(EMPTY);
  useFirstFocus(form);

  async function save(): Promise<void> {
    const fieldErrors = check(values);
    if (Object.keys(fieldErrors).length > 0) return showErrors(fieldErrors);
    const entry = await api.post<SignedIn>('/api/auth/join', { token, ...values }, { anonymous: true });
    session.set(entry.token);
    location.replace('/dashboard');
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit(save, t.joinFailed)}
      className="flex flex-col gap-5"
    >
      {banner && <Alert>{banner}</Alert>}
      <TextField
        label={common.email}
        name="email"
        autoComplete="username"
        description={t.yourEmail}
        isReadOnly
        size="lg"
        value={email}
      />
      <TextField
        label={t.yourName}
        name="name"
        autoComplete="name"
        isRequired
        size="lg"
        value={values.name}
        onChange={(text) => edit('name', text)}
        error={errors.name}
      />
      <PasswordField
        label={common.password}
        name="password"
        autoComplete="new-password"
        description={common.passwordHint}
        isRequired
        size="lg"
        value={values.password}
        onChange={(text) => edit('password', text)}
        error={errors.password}
      />
      <PasswordField
        label={confirmPassword}
        name="password_confirmation"
        autoComplete="new-password"
        isRequired
        size="lg"
        value={values.password_confirmation}
        onChange={(text) => edit('password_confirmation', text)}
        error={errors.password_confirmation}
      />
      {twoStep && <p className="text-muted">{t.joinTwoStep}</p>}
      <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={t.joining}>
        {t.join}
      </Button>
    </form>
  );
}

export const JoinForm = withErrorBoundary(JoinIsland);
