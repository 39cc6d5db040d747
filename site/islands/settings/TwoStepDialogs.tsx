import * as common from '#messages/common.ts';
import * as t from '#messages/settings.ts';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { CURRENT_PASSWORD, CurrentPassword } from '../../components/CurrentPassword.tsx';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { useForm } from '../../lib/useForm.ts';

interface RenewCodesProps {
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}

export const RenewCodesDialog = ({ onClose, onCodes }: RenewCodesProps) => (
  <OneFieldDialog
    title={t.newCodes}
    field={CURRENT_PASSWORD}
    required={common.passwordRequired}
    action={t.createCodes}
    onSave={async (current_password) => {
      const renewed = await api.post<{ recovery_codes: string[] }>('/api/auth/two-step/recovery-codes', {
        current_password,
      });
      onCodes(renewed.recovery_codes);
    }}
    failed={t.newCodesFailed}
    onClose={onClose}
  >
    <p className="text-muted">{t.newCodesAbout}</p>
  </OneFieldDialog>
);

export function SwitchOffDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const form = useForm({ current_password: '', code: '' });
  const { values, errors, edit } = form;

  async function switchOff(): Promise<void> {
    const found = {
      ...(!values.current_password && { current_password: common.passwordRequired }),
      ...(!values.code.trim() && { code: common.codeRequired }),
    };
    if (Object.keys(found).length > 0) return form.show(found);
    await api.post('/api/auth/two-step/disable', values);
    toast.success(t.twoStepOff);
    onDone();
  }

  return (
    <FormDialog
      title={t.turnOffTwoStep}
      form={form}
      onSubmit={form.submit(switchOff, t.turnOffFailed)}
      onClose={onClose}
      action={t.turnOff}
      danger
    >
      <p className="text-muted">{t.turnOffAbout}</p>
      <CurrentPassword form={form} />
      <TextField
        label={t.codeOrRecoveryCode}
        name="code"
        autoComplete="one-time-code"
        value={values.code}
        onChange={(code) => edit('code', code)}
        error={errors.code}
      />
    </FormDialog>
  );
}
