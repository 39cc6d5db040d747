import * as v from 'valibot';
import { fieldRules } from '#server/auth/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/auth.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { useFirstFocus } from '../../components/useFirstFocus.ts';
import { api } from '../../lib/api.ts';
import { flash } from '../../lib/toast.ts';
import { useForm } from '../../lib/useForm.ts';

const EMPTY = { password: '', password_confirmation: '' };

function check(values: typeof EMPTY): Partial<typeof EMPTY> {
  const password = v.safeParse(fieldRules.password, values.password, { abortPipeEarly: true });
  return {
    ...(!password.success && { password: password.issues[0].message }),
    ...(values.password !== values.password_confirmation && {
      password_confirmation: common.passwordsDiffer,
    }),
  };
}

function ResetIsland({ token }: { token: string }) {
  const { values, banner, busy, form, field, showErrors, submit } = useForm(EMPTY);
  useFirstFocus(form);

  async function save(): Promise<void> {
    const fieldErrors = check(values);
    if (Object.keys(fieldErrors).length > 0) return showErrors(fieldErrors);
    await api.post('/api/auth/reset-password', { token, ...values }, { anonymous: true });
    flash({ title: t.passwordSet, description: t.signInNow });
    location.replace('/login');
  }

  const send = submit(save, common.noConnection);
  return (
    <form ref={form} method="post" noValidate onSubmit={send} className="flex flex-col gap-5">
      {banner && (
        <Alert>
          {banner}{' '}
          <a href="/forgot-password" className="link">
            {t.requestNewLink}
          </a>
        </Alert>
      )}
      <PasswordField
        label={common.newPassword}
        {...field('password')}
        autoComplete="new-password"
        description={common.passwordHint}
        isRequired
        size="lg"
      />
      <PasswordField
        label={common.confirmNewPassword}
        {...field('password_confirmation')}
        autoComplete="new-password"
        isRequired
        size="lg"
      />
      <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={t.settingPassword}>
        {t.setPassword}
      </Button>
    </form>
  );
}

export const ResetForm = withErrorBoundary(ResetIsland);
