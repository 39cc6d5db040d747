import type { VersionView } from '#server/documents/versions/contract.ts';
import * as t from '#messages/versions.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useForm } from '../../lib/useForm.ts';

export interface KeepDialogProps {
  version: VersionView;
  onKeep: (word: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the word with which a version is kept forever. */
export function KeepDialog({ version, onKeep, onClose }: KeepDialogProps) {
  const form = useForm({ kept_as: version.kept_as ?? t.asFiled }, 'kept_as');
  async function keep() {
    const word = form.values.kept_as.trim();
    if (word === '') return form.show({ kept_as: t.wordRequired });
    await onKeep(word);
    return onClose();
  }
  return (
    <FormDialog
      title={t.keepTitle}
      form={form}
      onSubmit={form.submit(keep, t.keepFailed)}
      onClose={onClose}
      action={t.keepAction}
    >
      <TextField
        label={t.word}
        description={t.keepAbout}
        {...form.field('kept_as')}
        autoFocus
        autoComplete="off"
        maxLength={60}
      />
    </FormDialog>
  );
}
