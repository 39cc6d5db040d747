import type { BillingDetails } from '#server/invoices/contract.ts';
import { STATES } from '#server/invoices/contract.ts';
import * as t from '#messages/subscription.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { useForm } from '../../lib/useForm.ts';

type Field = keyof BillingDetails;

const OPTIONS = [
  { id: '', label: t.notGiven },
  ...Object.entries(STATES)
    .map(([id, label]) => ({ id, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label)),
];

/** The details that are printed on future invoices. */
export function DetailsForm({ first, firmName }: { first: BillingDetails; firmName: string }) {
  const { values, errors, banner, busy, form, field, edit, submit, reset } = useForm<Field>({ ...first });

  async function save(): Promise<void> {
    const { data, message } = await api.send<BillingDetails>('PUT', '/api/billing/details', values);
    reset({ ...data });
    toast.success(message ?? t.saved);
  }

  return (
    <form
      ref={form}
      onSubmit={submit(save, t.detailsFailed)}
      noValidate
      className="grid gap-4 rounded-lg border border-line bg-surface p-4 md:grid-cols-2"
    >
      {banner && <Alert className="md:col-span-2">{banner}</Alert>}
      <TextField
        label={t.invoiceName}
        placeholder={firmName}
        {...field('name')}
        autoComplete="organization"
      />
      <TextField
        label={t.gstin}
        {...field('gstin')}
        onChange={(value) => edit('gstin', value.toUpperCase())}
        description={t.gstinHint}
        inputClassName="tabular"
        maxLength={15}
      />
      <TextField label={t.address} {...field('address')} autoComplete="street-address" />
      <Select
        label={t.state}
        options={OPTIONS}
        value={values.state}
        onChange={(key) => edit('state', String(key ?? ''))}
        error={errors.state}
        isDisabled={values.gstin.length === 15}
        description={values.gstin.length === 15 ? t.stateFromGstin : undefined}
      />
      <div className="md:col-span-2">
        <Button type="submit" busy={busy} busyLabel={common.saving}>
          {common.save}
        </Button>
      </div>
    </form>
  );
}
