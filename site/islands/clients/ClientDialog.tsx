import type { FormEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import type { ClientField, ClientType, ClientView } from '#server/clients/contract.ts';
import { clientWarnings } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { Select } from '../../components/Select.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { cx } from '../../lib/cx.ts';
import { calls } from './calls.ts';
import type { Errors, Values } from './form.ts';
import { EMPTY, FIELDS, LABELS, differing, read, rebased, settled, valuesOf } from './form.ts';

export interface ClientDialogProps {
  /** Null makes a new one. */
  client: ClientView | null;
  onClose: () => void;
  onSaved: (client: ClientView, made: boolean) => void;
}

type Trouble =
  { kind: 'failed'; text: string } | { kind: 'changed'; fields: ClientField[] } | { kind: 'gone' };

const choices = (labels: Record<string, string>) =>
  Object.entries(labels).map(([id, label]) => ({ id, label }));
const TYPES = choices(t.types);
const STATUSES = choices(t.statuses);

export default function ClientDialog({ client, onClose, onSaved }: ClientDialogProps) {
  const [base, setBase] = useState(client);
  const [values, setValues] = useState<Values>(client ? valuesOf(client) : EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  /** Until somebody has chosen it, the type follows the PAN. */
  const typeChosen = useRef(client !== null);
  const warnings = clientWarnings({
    client_type: values.client_type as ClientType,
    pan: settled(values, 'pan').pan,
    gstin: settled(values, 'gstin').gstin,
  });

  /** The cursor goes to the first wrong field when they are told, and is left alone while they are corrected. */
  const showErrors = (found: Errors) => {
    setErrors(found);
    const first = FIELDS.find((field) => found[field]);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  useEffect(() => form.current?.querySelector<HTMLElement>('[name="name"]')?.focus(), []);

  const start = base ? valuesOf(base) : EMPTY;
  const close = () => (differing(values, start).length > 0 ? setLeaving(true) : onClose());

  const edit = (field: ClientField, value: string) => {
    if (field === 'client_type') typeChosen.current = true;
    setValues((old) => ({ ...old, [field]: value }));
    if (errors[field]) setErrors(({ [field]: _gone, ...rest }) => rest);
  };

  /** Somebody else was faster: their changes come in, ours stay on top, and nothing is saved yet. */
  async function meetChanges(mine: ClientView): Promise<void> {
    const now = await calls.one(mine.id);
    setValues(rebased(values, valuesOf(mine), valuesOf(now)));
    setTrouble({ kind: 'changed', fields: differing(valuesOf(mine), valuesOf(now)) });
    setBase(now);
  }

  async function save(target: ClientView | null): Promise<void> {
    const result = read(values);
    if ('errors' in result) return showErrors(result.errors);
    const { input } = result;
    onSaved(
      target
        ? await calls.update(target.id, { ...input, version: target.version })
        : await calls.create(input),
      target === null,
    );
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setTrouble(null);
    try {
      await save(base);
    } catch (error) {
      await fail(error);
    }
    setBusy(false);
  }

  async function fail(error: unknown): Promise<void> {
    const { status = 0, code = '', errors: told } = error instanceof ApiError ? error : {};
    if (told)
      return showErrors(Object.fromEntries(Object.entries(told).map(([field, [text]]) => [field, text])));
    if (base && status === 404) return setTrouble({ kind: 'gone' });
    if (base && code === 'client_changed') {
      try {
        return await meetChanges(base);
      } catch (failure) {
        return fail(failure);
      }
    }
    const text = base ? t.updateFailed : t.createFailed;
    return setTrouble({ kind: 'failed', text: messageOf(error, text) });
  }

  const bind = (field: ClientField) => ({
    name: field,
    label: LABELS[field],
    value: values[field],
    onChange: (value: string) => edit(field, value),
    onBlur: () => setValues((old) => settled(old, field, typeChosen.current)),
    error: errors[field],
    autoComplete: 'off',
  });
  const choice = (field: 'client_type' | 'status', options: typeof TYPES) => (
    <Select
      label={LABELS[field]}
      options={options}
      value={values[field]}
      onChange={(key) => edit(field, String(key))}
      error={errors[field]}
    />
  );
  const warned = (text: string | undefined, description?: string) =>
    text ? <span className="font-medium text-warning-text">{text}</span> : description;
  const number = 'font-medium tracking-wide uppercase placeholder:font-normal placeholder:normal-case';

  return (
    <Dialog title={base ? t.editClient : t.newClient} size="xl" isOpen onOpenChange={close}>
      <form ref={form} className="contents" noValidate onSubmit={(event) => void submit(event)}>
        <DialogBody>
          {trouble && (
            <Alert tone={trouble.kind === 'changed' ? 'warning' : 'danger'} className="mb-4">
              <TroubleMessage trouble={trouble} onCreate={() => (setBase(null), setTrouble(null))} />
            </Alert>
          )}
          <div className="grid gap-x-4 gap-y-3 sm:grid-cols-6 lg:grid-cols-12">
            <TextField
              {...bind('name')}
              label={t.nameRequired}
              isRequired
              maxLength={200}
              className="sm:col-span-6"
            />
            <div className="sm:col-span-3">{choice('client_type', TYPES)}</div>
            <div className="sm:col-span-3">{choice('status', STATUSES)}</div>
            <TextField {...bind('email')} type="email" className="sm:col-span-6 lg:col-span-5" />
            <TextField {...bind('phone')} type="tel" className="sm:col-span-3 lg:col-span-4" />
            <TextField
              {...bind('born_on')}
              type="date"
              label={values.client_type === 'Individual' ? t.dateOfBirth : t.dateOfIncorporation}
              className="sm:col-span-3"
            />
            <TextField
              {...bind('pan')}
              inputClassName={number}
              description={warned(warnings.pan)}
              className="sm:col-span-3"
            />
            <TextField
              {...bind('gstin')}
              inputClassName={number}
              description={warned(warnings.gstin)}
              className="sm:col-span-3"
            />
            <TextField {...bind('tan')} inputClassName={number} className="sm:col-span-2 lg:col-span-3" />
            <TextField {...bind('cin')} inputClassName={number} className="sm:col-span-4 lg:col-span-3" />
            <TextField {...bind('city')} className="sm:col-span-3 lg:col-span-6" />
            <TextField
              {...bind('group_name')}
              placeholder={t.groupPlaceholder}
              className="sm:col-span-3 lg:col-span-6"
            />
            <TextArea {...bind('address')} rows={2} className="sm:col-span-3 lg:col-span-6" />
            <TextArea
              {...bind('notes')}
              rows={2}
              description={t.aadhaarHint}
              className="sm:col-span-3 lg:col-span-6"
            />
          </div>
        </DialogBody>
        <DialogFooter className={cx('border-t border-line pt-3!')}>
          <Button onPress={close}>{common.cancel}</Button>
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            busyLabel={base ? t.updating : t.creating}
            isDisabled={values.name.trim() === ''}
          >
            {base ? t.update : t.createClient}
          </Button>
        </DialogFooter>
      </form>
      {leaving && <Leaving isNew={!base} onStay={() => setLeaving(false)} onLeave={onClose} />}
    </Dialog>
  );
}

function TroubleMessage({ trouble, onCreate }: { trouble: Trouble; onCreate: () => void }) {
  if (trouble.kind === 'failed') return trouble.text;
  if (trouble.kind === 'changed') {
    return t.changedMeanwhile(trouble.fields.map((field) => LABELS[field]));
  }
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <span className="min-w-0 flex-1">{t.clientGone}</span>
      <Button size="sm" onPress={onCreate}>
        {t.makeNew}
      </Button>
    </span>
  );
}

/** Loaded together with the form, so that it can be asked without a connection too. */
function Leaving({ isNew, onStay, onLeave }: { isNew: boolean; onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      role="alertdialog"
      title={isNew ? t.discardNew : t.discardChanges}
      isOpen
      onOpenChange={onStay}
      hasClose={false}
    >
      <DialogBody className="text-muted">{t.notSaved}</DialogBody>
      <DialogFooter>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog must take the focus somewhere */}
        <Button onPress={onStay} autoFocus>
          {t.keepEditing}
        </Button>
        <Button variant="danger" onPress={onLeave}>
          {t.discard}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
