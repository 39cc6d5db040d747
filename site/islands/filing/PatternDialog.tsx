import * as t from '#messages/filing.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { filingCalls } from '../../lib/filing.ts';
import { useForm } from '../../lib/useForm.ts';

/** By what pattern documents are named when they are filed. */
export function PatternDialog({
  pattern,
  onClose,
  onSaved,
}: {
  pattern: string;
  onClose: () => void;
  onSaved: () => void;
}) {
  const form = useForm({ pattern }, 'pattern');
  async function save() {
    await filingCalls.setPattern(form.values.pattern);
    onSaved();
    onClose();
  }
  return (
    <FormDialog
      title={t.patternTitle}
      form={form}
      onSubmit={form.submit(save, t.patternFailed)}
      onClose={onClose}
      action={t.save}
    >
      <TextField
        label={t.pattern}
        description={t.patternHint}
        {...form.field('pattern')}
        autoComplete="off"
        maxLength={200}
      />
    </FormDialog>
  );
}
