import type { FormEvent } from 'react';
import { useRef, useState } from 'react';
import * as v from 'valibot';
import { fieldRules } from '#server/auth/contract.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { ApiError, api } from '../../lib/api.ts';
import { flash } from '../../lib/toast.ts';

const FIELDS = ['password', 'password_confirmation'] as const;
type Field = (typeof FIELDS)[number];
type Errors = Partial<Record<Field, string>>;

function check(values: Record<Field, string>): Errors {
  const password = v.safeParse(fieldRules.password, values.password, { abortPipeEarly: true });
  return {
    ...(!password.success && { password: password.issues[0].message }),
    ...(values.password !== values.password_confirmation && {
      password_confirmation: 'Passwords do not match',
    }),
  };
}

export function ResetForm({ token }: { token: string }) {
  const [values, setValues] = useState({ password: '', password_confirmation: '' });
  const [errors, setErrors] = useState<Errors>({});
  const [banner, setBanner] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const edit = (field: Field) => (value: string) => {
    setValues((old) => ({ ...old, [field]: value }));
    setErrors((old) => ({ ...old, [field]: undefined }));
    setBanner(undefined);
  };

  function show(found: Errors): void {
    setErrors(found);
    const first = FIELDS.find((field) => found[field]);
    form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const found = check(values);
    if (Object.keys(found).length > 0) return show(found);
    setBusy(true);
    try {
      await api.post('/api/auth/reset-password', { token, ...values }, { asNobody: true });
      flash({ title: 'Your password is set', description: 'Sign in with it now.' });
      location.replace('/login');
      return;
    } catch (failure) {
      const said = failure instanceof ApiError && failure.status !== 0 ? failure : undefined;
      const { password, password_confirmation } = said?.errors ?? {};
      if (password || password_confirmation) {
        show({
          ...(password?.[0] && { password: password[0] }),
          ...(password_confirmation?.[0] && { password_confirmation: password_confirmation[0] }),
        });
      } else setBanner(said?.message ?? 'Unable to connect to the server. Please try again.');
    }
    setBusy(false);
  }

  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {banner && (
        <Alert>
          {banner}{' '}
          <a href="/forgot-password" className="link">
            Ask for a new link
          </a>
        </Alert>
      )}
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        description="At least 8 characters. A short sentence is easy to keep and hard to guess."
        isRequired
        size="lg"
        value={values.password}
        onChange={edit('password')}
        error={errors.password}
      />
      <PasswordField
        label="Confirm new password"
        name="password_confirmation"
        autoComplete="new-password"
        isRequired
        size="lg"
        value={values.password_confirmation}
        onChange={edit('password_confirmation')}
        error={errors.password_confirmation}
      />
      <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel="Setting...">
        Set the password
      </Button>
    </form>
  );
}
