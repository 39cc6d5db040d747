import type { PasskeyAdded, PasskeyView } from '#server/auth/passkeys/contract.ts';
import { PASSKEY_NAME_MAX } from '#server/auth/passkeys/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/passkeys.ts';
import { CURRENT_PASSWORD } from '../../components/CurrentPassword.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { addPasskey } from '../../lib/passkeys.ts';
import { useForm } from '../../lib/useForm.ts';

interface DialogProps {
  passkey: PasskeyView;
  onClose: () => void;
}

/** Asks for the password, then lets the browser create the passkey. */
export function AddPasskeyDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (added: PasskeyAdded) => void;
}) {
  const form = useForm({ name: '', current_password: '' });

  async function add(): Promise<void> {
    const { name, current_password } = form.values;
    const errors = {
      ...(!name.trim() && { name: t.nameRequired }),
      ...(!current_password && { current_password: common.passwordRequired }),
    };
    if (Object.keys(errors).length > 0) return form.showErrors(errors);
    onAdded(await addPasskey(name, current_password));
  }

  return (
    <FormDialog
      title={t.add}
      form={form}
      onSubmit={form.submit(add, t.addFailed)}
      onClose={onClose}
      action={t.addAction}
    >
      <p className="text-pretty text-muted">{t.addAbout}</p>
      <TextField
        label={t.name}
        {...form.field('name')}
        placeholder={t.namePlaceholder}
        maxLength={PASSKEY_NAME_MAX}
        autoComplete="off"
        autoFocus
      />
      <PasswordField {...CURRENT_PASSWORD} {...form.field('current_password')} />
    </FormDialog>
  );
}

export const RenamePasskeyDialog = ({
  passkey,
  onClose,
  onRenamed,
}: DialogProps & { onRenamed: (fresh: PasskeyView) => void }) => (
  <OneFieldDialog
    title={t.renameTitle}
    field={{ name: 'name', label: t.name, maxLength: PASSKEY_NAME_MAX }}
    initial={passkey.name}
    required={t.nameRequired}
    action={t.rename}
    onSave={async (name) =>
      onRenamed(
        await api
          .send<PasskeyView>('PATCH', `/api/auth/passkeys/${passkey.id}`, { name })
          .then(({ data }) => data),
      )
    }
    failed={t.renameFailed}
    onClose={onClose}
  />
);

export const RemovePasskeyDialog = ({
  passkey,
  isLast,
  onClose,
  onRemoved,
}: DialogProps & { isLast: boolean; onRemoved: () => void }) => (
  <OneFieldDialog
    title={t.removeTitle(passkey.name)}
    field={CURRENT_PASSWORD}
    required={common.passwordRequired}
    action={t.remove}
    danger
    onSave={async (current_password) => {
      await api.post(`/api/auth/passkeys/${passkey.id}/remove`, { current_password });
      onRemoved();
    }}
    failed={t.removeFailed}
    onClose={onClose}
  >
    <p className="text-pretty text-muted">{isLast ? t.removeLast : t.removeAbout}</p>
  </OneFieldDialog>
);
