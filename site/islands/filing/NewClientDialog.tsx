import type { ClientView } from '#server/clients/contract.ts';
import { typeOfPan } from '#server/clients/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/filing.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { useForm } from '../../lib/useForm.ts';

interface NewClientDialogProps {
  start: { name: string; pan: string; gstin: string };
  onClose: () => void;
  onMade: (client: { id: number; name: string }) => void | Promise<void>;
}

/** Creates a client from the name and numbers found in a document. */
export default function NewClientDialog({ start, onClose, onMade }: NewClientDialogProps) {
  const form = useForm<'name' | 'pan' | 'gstin'>(start);

  async function create() {
    const { name, pan, gstin } = form.values;
    if (name.trim() === '') return form.showErrors({ name: t.nameRequired });
    const type = typeOfPan(pan, name);
    const client = await api.post<ClientView>('/api/clients', {
      name,
      pan,
      gstin,
      ...(type && { client_type: type }),
    });
    onClose();
    return onMade({ id: client.id, name: client.name });
  }

  return (
    <FormDialog
      title={t.newClientTitle}
      form={form}
      onSubmit={form.submit(create, t.createFailed)}
      onClose={onClose}
      keepsTyped
      action={t.createClient}
    >
      <TextField label={common.name} {...form.field('name')} autoComplete="off" maxLength={200} />
      <TextField label={t.pan} {...form.field('pan')} autoComplete="off" maxLength={10} />
      <TextField label={t.gstin} {...form.field('gstin')} autoComplete="off" maxLength={15} />
    </FormDialog>
  );
}
