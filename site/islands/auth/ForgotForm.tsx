import type { FormEvent } from 'react';
import { useRef, useState } from 'react';
import { MailCheck } from 'lucide-react';
import * as v from 'valibot';
import { fieldRules } from '#server/auth/contract.ts';
import * as t from '#messages/auth.ts';
import * as common from '#messages/common.ts';
import { contained } from '../../components/contained.tsx';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useFirstFocus } from '../../components/useFirstFocus.ts';
import { ApiError, api } from '../../lib/api.ts';

/** Asks where to send the link; says the same whoever asks. */
function ForgotIsland() {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const [banner, setBanner] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus(form);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const typed = String(new FormData(event.currentTarget).get('email') ?? '');
    const checked = v.safeParse(fieldRules.email, typed, { abortPipeEarly: true });
    if (!checked.success) return setError(checked.issues[0].message);
    setBusy(true);
    setBanner(undefined);
    try {
      const answer = await api.send<null>(
        'POST',
        '/api/auth/forgot-password',
        { email: typed.trim() },
        { asNobody: true },
      );
      setSent(answer.message ?? '');
    } catch (failure) {
      const said = failure instanceof ApiError ? failure : undefined;
      if (said?.errors?.['email']) setError(said.errors['email'][0]);
      else
        setBanner(
          said?.status === 429 ? said.message : said?.status === 0 ? t.resetFailedOffline : t.resetFailed,
        );
    }
    setBusy(false);
  }

  if (sent !== undefined) {
    return (
      <div role="status" className="flex flex-col gap-4">
        <span className="flex size-11 items-center justify-center rounded-full bg-success-soft text-success-text">
          <MailCheck aria-hidden size={22} />
        </span>
        <h2 className="text-lg font-semibold">{t.checkYourEmail}</h2>
        <p className="text-muted">{sent}</p>
        <button type="button" className="link self-start text-sm" onClick={() => setSent(undefined)}>
          {t.noEmailTryAgain}
        </button>
      </div>
    );
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
        description={t.emailHint}
        value={email}
        onChange={(text) => {
          setEmail(text);
          setError(undefined);
          setBanner(undefined);
        }}
        error={error}
      />
      <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={t.sending}>
        {t.sendLink}
      </Button>
    </form>
  );
}

export const ForgotForm = contained(ForgotIsland);
