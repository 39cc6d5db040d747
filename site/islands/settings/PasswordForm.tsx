import * as v from 'valibot';
import { fieldRules } from '#server/auth/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/settings.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { UsernameHint } from '../../components/UsernameHint.tsx';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { useForm } from '../../lib/useForm.ts';

const EMPTY = { current_password: '', password: '', password_confirmation: '' };
type Field = keyof typeof EMPTY;

function check(values: Record<Field, string>): Partial<Record<Field, string>> {
  const password = v.safeParse(fieldRules.password, values.password, { abortPipeEarly: true });
  return {
    ...(!values.current_password && { current_password: common.passwordRequired }),
    ...(!password.success && { password: password.issues[0].message }),
    ...(values.password !== values.password_confirmation && {
      password_confirmation: common.passwordsDiffer,
    }),
  };
}

export function PasswordForm({ email, onChanged }: { email: string; onChanged: () => void }) {
  const { values, errors, banner, busy, form, edit, showErrors, submit, reset } = useForm<Field>(EMPTY);

  async function save(): Promise<void> {
    const fieldErrors = check(values);
    if (Object.keys(fieldErrors).length > 0) return showErrors(fieldErrors);
    await api.post('/api/auth/change-password', values);
    reset();
    onChanged();
    toast.success(t.passwordChanged, { description: t.passwordChangedAbout });
  }

  const field = (name: Field) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => edit(name, value),
    isRequired: true,
  });

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit(save, t.passwordChangeFailed)}
      className="flex flex-col gap-4"
    >
      {banner && <Alert>{banner}</Alert>}
      <UsernameHint email={email} />
      <PasswordField
        {...field('current_password')}
        label={common.currentPassword}
        autoComplete="current-password"
      />
      <PasswordField
        {...field('password')}
        label={common.newPassword}
        autoComplete="new-password"
        description={common.passwordHint}
      />
      <PasswordField
        {...field('password_confirmation')}
        label={common.confirmNewPassword}
        autoComplete="new-password"
      />
      <div>
        <Button type="submit" variant="primary" busy={busy} busyLabel={t.changing}>
          {t.changePassword}
        </Button>
      </div>
    </form>
  );
}
