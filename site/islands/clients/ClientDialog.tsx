import { useEffect, useEffectEvent, useState } from 'react';
import type { ClientField, ClientType, ClientView } from '#server/clients/contract.ts';
import type { ChangePiece } from '#server/events/contract.ts';
import { clientWarnings } from '#server/clients/contract.ts';
import { LANGUAGE_NAMES } from '#server/text/language.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { Select } from '../../components/Select.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import { ApiError } from '../../lib/apiError.ts';
import { cx } from '../../lib/cx.ts';
import { subscribeToChanges } from '../../lib/liveUpdates.ts';
import { useForm } from '../../lib/useForm.ts';
import ClientPeopleDialog from '../access/ClientPeopleDialog.tsx';
import { PeopleField } from '../access/PeopleField.tsx';
import { calls } from './calls.ts';
import { sameNumbers, findDuplicates, duplicateWarnings, useDuplicates } from './duplicateIdentifiers.ts';
import {
  EMPTY,
  LABELS,
  changedFields,
  normaliseAll,
  parse,
  rebaseValues,
  normaliseField,
  shownValue,
  valuesOf,
} from './form.ts';

export interface ClientDialogProps {
  /** Null for a new client. */
  client: ClientView | null;
  onClose: () => void;
  onSaved: (client: ClientView, isNew: boolean) => void;
}

type Conflict = { message: string } & (
  | {
      kind: 'changed';
      /** What only the colleague has changed. */
      fields: ClientField[];
      /** What the user has changed as well, with the colleague's values. */
      rivals: { field: ClientField; value: string }[];
    }
  | { kind: 'deleted' }
);

const choices = (labels: Record<string, string>) =>
  Object.entries(labels).map(([id, label]) => ({ id, label }));
const TYPES = choices(t.types);
const STATUSES = choices(t.statuses);
const LANGUAGE_CHOICES = choices(LANGUAGE_NAMES);

export default function ClientDialog({ client, onClose, onSaved }: ClientDialogProps) {
  const [base, setBase] = useState(client);
  const { values, errors, banner, busy, form, field, edit, setValues, showErrors, submit } =
    useForm<ClientField>(client ? valuesOf(client) : EMPTY);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { pan, gstin } = normaliseAll(values);
  const numbers = { pan, gstin };
  const duplicates = useDuplicates(base?.id ?? null, numbers);
  /** The numbers whose duplicate warning the user has seen; saving them again is confirmed. */
  const [warnedAbout, setWarnedAbout] = useState('');
  const [duplicateTexts, setDuplicateTexts] = useState<string[]>([]);
  const [leaving, setLeaving] = useState(false);
  const [choosing, setChoosing] = useState(false);
  /** The type follows the PAN until the user chooses one. */
  const [typeChosen, setTypeChosen] = useState(client !== null);
  const warnings = clientWarnings({
    client_type: values.client_type as ClientType,
    ...numbers,
  });

  useEffect(() => form.current?.querySelector<HTMLElement>('[name="name"]')?.focus(), [form]);

  const start = base ? valuesOf(base) : EMPTY;
  const isUnsaved = changedFields(values, start).length > 0;
  const close = () => (isUnsaved ? setLeaving(true) : onClose());

  /** A colleague has saved changes: merges them into the form, keeping the user's edits; nothing is saved yet. */
  async function mergeChanges(mine: ClientView, message: string): Promise<void> {
    const current = await calls.one(mine.id);
    const [before, now] = [valuesOf(mine), valuesOf(current)];
    const changed = changedFields(before, now);
    const isRival = (field: ClientField) => values[field] !== before[field] && values[field] !== now[field];
    setValues(rebaseValues(values, before, now));
    setConflict({
      kind: 'changed',
      message,
      fields: changed.filter((field) => !isRival(field)),
      rivals: changed.filter(isRival).map((field) => ({ field, value: now[field] })),
    });
    setBase(current);
  }

  async function save(): Promise<void> {
    setConflict(null);
    const result = parse(normaliseAll(values, typeChosen));
    if ('errors' in result) return showErrors(result.errors);
    const { input } = result;
    const others = await findDuplicates(base?.id ?? null, numbers).catch(() => ({}));
    const texts = duplicateWarnings(others);
    const numbersKey = JSON.stringify(numbers);
    if (texts.length > 0 && warnedAbout !== numbersKey && !(base && sameNumbers(base, numbers))) {
      setWarnedAbout(numbersKey);
      return setDuplicateTexts(texts);
    }
    setDuplicateTexts([]);
    if (!base) return onSaved(await calls.create(input), true);
    try {
      return onSaved(await calls.update(base.id, { ...input, version: base.version }), false);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'client_changed')
        await mergeChanges(base, error.message).catch(fail);
      else fail(error);
    }
  }

  function fail(error: unknown): void {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    setConflict({ kind: 'deleted', message: error.message });
  }

  const checkDeleted = useEffectEvent((pieces: readonly ChangePiece[]) => {
    if (
      !base ||
      !pieces.some(({ kind, clients }) => kind === 'clients' && clients?.includes(base.id) !== false)
    )
      return;
    // While editing, only a deletion is reported; other changes are merged on saving.
    calls.one(base.id).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) fail(error);
    });
  });
  useEffect(() => subscribeToChanges(checkDeleted), []);

  const bind = (name: ClientField) => ({
    ...field(name),
    label: LABELS[name],
    onBlur: () => setValues((old) => normaliseField(old, name, typeChosen)),
    autoComplete: 'off',
  });
  const choice = (name: 'client_type' | 'status' | 'language', options: typeof TYPES) => (
    <Select
      label={LABELS[name]}
      options={options}
      value={values[name]}
      onChange={(key) => {
        if (name === 'client_type') setTypeChosen(true);
        edit(name, String(key));
      }}
      error={errors[name]}
    />
  );
  const warned = (text: string | undefined, description?: string) =>
    text ? <span className="font-medium text-warning-text">{text}</span> : description;
  const number = 'font-medium tracking-wide uppercase placeholder:font-normal placeholder:normal-case';

  return (
    <Dialog
      title={base ? t.editClient : t.newClient}
      size="xl"
      isOpen
      onOpenChange={close}
      isUnsaved={isUnsaved}
    >
      <form
        ref={form}
        className="contents"
        noValidate
        onSubmit={submit(save, base ? t.updateFailed : t.createFailed)}
      >
        <DialogBody>
          {banner && <Alert className="mb-4">{banner}</Alert>}
          {duplicateTexts.length > 0 && (
            <Alert tone="warning" className="mb-4">
              {`${duplicateTexts.join('. ')}. ${t.saveAnyway(base ? t.update : t.createClient)}`}
            </Alert>
          )}
          {conflict && (
            <Alert tone={conflict.kind === 'changed' ? 'warning' : 'danger'} className="mb-4">
              <ConflictMessage conflict={conflict} onCreate={() => (setBase(null), setConflict(null))} />
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
            <TextField {...bind('email')} type="email" className="sm:col-span-4 lg:col-span-4" />
            <div className="sm:col-span-2">{choice('language', LANGUAGE_CHOICES)}</div>
            <TextField {...bind('phone')} type="tel" className="sm:col-span-3" />
            <TextField
              {...bind('born_on')}
              type="date"
              label={values.client_type === 'Individual' ? t.dateOfBirth : t.dateOfIncorporation}
              className="sm:col-span-3"
            />
            <TextField
              {...bind('pan')}
              inputClassName={number}
              description={warned(warnings.pan ?? (duplicates.pan && t.hasPan(duplicates.pan)))}
              className="sm:col-span-3"
            />
            <TextField
              {...bind('gstin')}
              inputClassName={number}
              description={warned(warnings.gstin ?? (duplicates.gstin && t.hasGstin(duplicates.gstin)))}
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
            {base && (
              <PeopleField
                clientId={base.id}
                onChoose={() => setChoosing(true)}
                className="sm:col-span-6 lg:col-span-12"
              />
            )}
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
      {choosing && base && <ClientPeopleDialog client={base} onClose={() => setChoosing(false)} />}
      {leaving && <DiscardDialog isNew={!base} onStay={() => setLeaving(false)} onLeave={onClose} />}
    </Dialog>
  );
}

function ConflictMessage({ conflict, onCreate }: { conflict: Conflict; onCreate: () => void }) {
  if (conflict.kind === 'changed') {
    const fields = conflict.fields.map((field) => LABELS[field]);
    return (
      <>
        <p>{t.changedMeanwhile(conflict.message, fields)}</p>
        {conflict.rivals.map(({ field, value }) => (
          <p key={field} className="mt-2 wrap-anywhere whitespace-pre-wrap">
            {t.bothChanged(LABELS[field], shownValue(field, value))}
          </p>
        ))}
      </>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <span className="min-w-0 flex-1">{t.clientGone(conflict.message)}</span>
      <Button size="sm" onPress={onCreate}>
        {t.makeNew}
      </Button>
    </span>
  );
}

/** The question before unsaved changes are discarded. Loaded with the form, so that it works without a connection. */
function DiscardDialog({
  isNew,
  onStay,
  onLeave,
}: {
  isNew: boolean;
  onStay: () => void;
  onLeave: () => void;
}) {
  return (
    <Dialog
      role="alertdialog"
      title={isNew ? t.discardNew : common.discardChanges}
      isOpen
      onOpenChange={onStay}
      hasClose={false}
    >
      <DialogBody className="text-muted">{common.notSaved}</DialogBody>
      <DialogFooter>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog must take the focus somewhere */}
        <Button onPress={onStay} autoFocus>
          {common.keepEditing}
        </Button>
        <Button variant="danger" onPress={onLeave}>
          {common.discard}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
