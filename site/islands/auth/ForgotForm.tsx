import { useState } from 'react';
import { MailCheck } from 'lucide-react';
import * as v from 'valibot';
import { fieldRules } from '#server/auth/contract.ts';
import * as t from '#messages/auth.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/TextField.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { useFirstFocus } from '../../components/useFirstFocus.ts';
import { ApiError, api } from '../../lib/api.ts';
import { useForm } from '../../lib/useForm.ts';

/** Requests a reset link; the response is the same whether or not the account exists. */
function ForgotIsland({ sendsEmail }: { sendsEmail: boolean }) {
  const { banner, busy, form, field, showErrors, showMessage, readValues, submit } = useForm({ email: '' });
  const [sent, setSent] = useState<string>();
  useFirstFocus(form);

  async function request(): Promise<void> {
    const { email } = readValues();
    const checked = v.safeParse(fieldRules.email, email, { abortPipeEarly: true });
    if (!checked.success) return showErrors({ email: checked.issues[0].message });
    try {
      const body = { email: email.trim() };
      const answer = await api.send<null>('POST', '/api/auth/forgot-password', body, { anonymous: true });
      return setSent(answer.message ?? '');
    } catch (failure) {
      const { status = null, errors } = failure instanceof ApiError ? failure : {};
      if (status === 429 || errors?.['email']) throw failure;
      return showMessage(status === 0 ? t.resetFailedOffline : t.resetFailed);
    }
  }

  if (sent !== undefined) {
    return (
      <div role="status" className="flex flex-col gap-4">
        <span className="flex size-11 items-center justify-center rounded-full bg-success-soft text-success-text">
          <MailCheck aria-hidden size={22} />
        </span>
        <h2 className="text-lg font-semibold">{sendsEmail ? t.checkYourEmail : t.askForLink}</h2>
        <p className="text-muted">{sent}</p>
        <button type="button" className="link self-start text-sm" onClick={() => setSent(undefined)}>
          {sendsEmail ? t.noEmailTryAgain : t.otherAddress}
        </button>
      </div>
    );
  }
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit(request, t.resetFailed)}
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
        description={t.emailHint}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={busy}
        {...(sendsEmail && { busyLabel: t.sending })}
      >
        {sendsEmail ? t.sendLink : t.makeLink}
      </Button>
    </form>
  );
}

export const ForgotForm = withErrorBoundary(ForgotIsland);
