import { useState } from 'react';
import type { UserView } from '#server/auth/contract.ts';
import * as t from '#messages/settings.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Rich } from '../../components/Rich.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { EMPTY, stepErrors, formatTyped } from '../../lib/registration.ts';
import { mergeUser } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { useForm } from '../../lib/useForm.ts';
import { useSendsEmail } from '../../lib/useSendsEmail.ts';
import { useUnsaved } from '../../lib/useUnsaved.ts';

const FIELDS = ['name', 'email', 'phone', 'ca_license_number', 'firm_name'] as const;
type Field = (typeof FIELDS)[number];

const from = (user: UserView): Record<Field, string> => ({
  name: user.name,
  email: user.email,
  phone: user.phone,
  ca_license_number: user.ca_license_number,
  firm_name: user.firm_name,
});

/** Validates with the rules of the first two steps of the registration. */
const check = (values: Record<Field, string>) => {
  const all = { ...EMPTY, ...values };
  return { ...stepErrors(0, all), ...stepErrors(1, all) } as Partial<Record<Field, string>>;
};

export function ProfileForm({
  viewer,
  pendingEmail,
  mayRenameFirm,
}: {
  viewer: UserView;
  pendingEmail: string | null;
  mayRenameFirm: boolean;
}) {
  const [saved, setSaved] = useState(viewer);
  const [pending, setPending] = useState(pendingEmail);
  const { values, errors, banner, busy, form, edit, showErrors, submit, reset } = useForm<Field>(
    from(viewer),
  );
  const newEmail = values.email.trim().toLowerCase() !== saved.email;
  const changed = FIELDS.some((field) => values[field] !== saved[field]);
  useUnsaved(changed);
  const canSend = useSendsEmail();

  async function save(): Promise<void> {
    const fieldErrors = check(values);
    if (Object.keys(fieldErrors).length > 0) return showErrors(fieldErrors);
    if (!changed) return void toast.info(t.profileUnchanged);
    const sent = Object.fromEntries(
      FIELDS.filter((field) => values[field] !== saved[field]).map((field) => [field, values[field]]),
    );
    const answer = await api.send<UserView>('PUT', '/api/auth/profile', sent);
    const user = answer.data;
    if (newEmail) setPending(String(answer['pending_email']));
    setSaved(user);
    reset(from(user));
    mergeUser(user);
    if (newEmail) toast.success(t.confirmNewEmail, canSend ? { description: answer.message } : {});
    else toast.success(t.profileUpdated);
  }

  const text = (field: Field) => ({
    name: field,
    value: values[field],
    error: errors[field],
    onChange: (value: string) => edit(field, formatTyped(field, value, values[field])),
  });

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit(save, t.profileFailed)}
      className="flex flex-col gap-4"
    >
      {banner && <Alert>{banner}</Alert>}
      <TextField {...text('name')} label={common.fullName} autoComplete="name" isRequired />
      <TextField
        {...text('email')}
        label={common.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        description={t.emailHint}
        isRequired
      />
      {pending && !newEmail && (
        <Alert tone="info">
          <Rich text={canSend ? t.linkSent(pending) : t.linkStored(pending)} />
        </Alert>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...text('phone')}
          label={common.phone}
          type="tel"
          inputMode="numeric"
          autoComplete="tel-national"
          isRequired
        />
        <TextField
          {...text('ca_license_number')}
          label={common.licenseNumber}
          description={common.licenseHint}
          autoComplete="off"
          isRequired
        />
      </div>
      <TextField
        {...text('firm_name')}
        label={common.firmName}
        autoComplete="organization"
        isRequired
        isDisabled={!mayRenameFirm}
        description={mayRenameFirm ? t.firmNameHint : t.firmNameAdminOnly}
      />
      <div>
        <Button type="submit" variant="primary" busy={busy} busyLabel={common.saving}>
          {t.saveProfile}
        </Button>
      </div>
    </form>
  );
}
