import { useState } from 'react';
import type { FormEvent } from 'react';
import type { BillingDetails } from '#server/invoices/contract.ts';
import { STATES } from '#server/invoices/contract.ts';
import * as t from '#messages/subscription.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { ApiError, api, messageOf } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';

type Field = keyof BillingDetails;

const OPTIONS = [
  { id: '', label: t.notGiven },
  ...Object.entries(STATES)
    .map(([id, label]) => ({ id, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label)),
];

/** What the firm wants printed on its invoices from now on. */
export function DetailsForm({ first, firmName }: { first: BillingDetails; firmName: string }) {
  const [values, setValues] = useState(first);
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [banner, setBanner] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  function edit(field: Field, value: string): void {
    setValues((old) => ({ ...old, [field]: value }));
    setErrors(({ [field]: _, ...rest }) => rest);
  }

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setBanner(null);
    try {
      const { data, message } = await api.send<BillingDetails>('PUT', '/api/billing/details', values);
      setValues(data);
      toast.success(message ?? t.saved);
    } catch (error) {
      const told = error instanceof ApiError ? error.errors : undefined;
      if (told) setErrors(Object.fromEntries(Object.entries(told).map(([field, [text]]) => [field, text])));
      else setBanner(messageOf(error, t.detailsFailed));
    }
    setBusy(false);
  }

  return (
    <form
      onSubmit={save}
      noValidate
      className="grid gap-4 rounded-lg border border-line bg-surface p-4 md:grid-cols-2"
    >
      {banner && <Alert className="md:col-span-2">{banner}</Alert>}
      <TextField
        label={t.invoiceName}
        placeholder={firmName}
        value={values.name}
        onChange={(value) => edit('name', value)}
        error={errors.name}
        autoComplete="organization"
      />
      <TextField
        label={t.gstin}
        value={values.gstin}
        onChange={(value) => edit('gstin', value.toUpperCase())}
        error={errors.gstin}
        description={t.gstinHint}
        inputClassName="tabular"
        maxLength={15}
      />
      <TextField
        label={t.address}
        value={values.address}
        onChange={(value) => edit('address', value)}
        error={errors.address}
        autoComplete="street-address"
      />
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
