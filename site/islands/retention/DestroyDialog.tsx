import { formatBytes } from '#server/text/format-bytes.ts';
import { REASON_MAX } from '#server/documents/seals/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/retention.ts';
import { CurrentPassword } from '../../components/CurrentPassword.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { retentionCalls } from '../../lib/retention.ts';
import { toast } from '../../lib/toast.ts';
import { useForm } from '../../lib/useForm.ts';

interface DestroyDialogProps {
  /** The sizes in bytes by file id. */
  files: ReadonlyMap<number, number>;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

/** Destroys files, after asking for the password and a reason. */
export default function DestroyDialog({ files, onDone, onClose }: DestroyDialogProps) {
  const form = useForm({ current_password: '', reason: '' });
  async function submit() {
    const { current_password, reason } = form.readValues();
    if (!current_password || !reason.trim())
      return form.showErrors({
        ...(!current_password && { current_password: common.passwordRequired }),
        ...(!reason.trim() && { reason: t.destroyReasonRequired }),
      });
    await retentionCalls.destroy({ ids: [...files.keys()], current_password, reason: reason.trim() });
    await onDone();
    toast.success(t.confirmed);
    return onClose();
  }
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  return (
    <FormDialog
      title={t.destroyTitle(files.size)}
      form={form}
      onSubmit={form.submit(submit, t.destroyFailed)}
      onClose={onClose}
      action={t.doDestroy(files.size)}
      danger
    >
      <p>{t.destroyAbout(formatBytes(bytes))}</p>
      <p className="text-muted">{t.destroyStill}</p>
      <CurrentPassword form={form} />
      <TextField
        label={t.destroyReason}
        description={t.destroyReasonHint}
        {...form.field('reason')}
        maxLength={REASON_MAX}
        autoComplete="off"
      />
    </FormDialog>
  );
}
