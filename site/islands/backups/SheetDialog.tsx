import type { BackupsView } from '#server/backups/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/backups.ts';
import { CurrentPassword } from '../../components/CurrentPassword.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { api } from '../../lib/api.ts';
import { saveAnswer } from '../../lib/save.ts';
import { toast } from '../../lib/toast.ts';
import { useForm } from '../../lib/useForm.ts';

/** Saves the recovery sheet, for who proves with the password who asks. */
export function SheetDialog({
  onClose,
  onSaved,
}: {
  onClose: () => void;
  onSaved: (now: BackupsView) => void;
}) {
  const form = useForm({ current_password: '' });

  async function save(): Promise<void> {
    if (!form.values.current_password) return form.show({ current_password: common.passwordRequired });
    await saveAnswer('/api/backups/recovery-sheet', form.values);
    toast.success(t.saved);
    onSaved(await api.get<BackupsView>('/api/backups'));
    onClose();
  }

  return (
    <FormDialog
      title={t.saveSheet}
      form={form}
      onSubmit={form.submit(save, t.failed)}
      onClose={onClose}
      action={t.save}
    >
      <p className="text-muted">{t.saveSheetAbout}</p>
      <CurrentPassword form={form} />
    </FormDialog>
  );
}
