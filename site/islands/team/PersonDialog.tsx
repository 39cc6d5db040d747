import { useState } from 'react';
import type { Role } from '#server/permissions.ts';
import { DAYS } from '#server/auth/contract.ts';
import type { PersonView } from '#server/team/contract.ts';
import { ADJUSTABLE, ROLE_TEXTS } from '#server/team/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/team.ts';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { Select } from '../../components/Select.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import { calls } from './calls.ts';
import { ClientsDialog } from './ClientsDialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { ROLE_OPTIONS } from './InviteDialog.tsx';
import type { Edits } from './person.ts';
import { ADJUSTABLE_PERMISSIONS, changeOf, clientsText, fieldsOf } from './person.ts';
import { confirmDiscard } from '../../lib/confirm.ts';
import { useSaving } from '../../lib/useSaving.ts';

export interface PersonDialogProps {
  person: PersonView;
  onClose: () => void;
  onDone: (message: string) => void;
  /** Called after saving a part, while the dialog stays open. */
  onSaved: (message: string) => void;
  /** Opens the dialog that deactivates the person or hands over their documents. */
  onLeave: () => void;
}

const without = <T,>(all: readonly T[], value: T): T[] => all.filter((other) => other !== value);

export function PersonDialog({ person, onClose, onDone, onSaved, onLeave }: PersonDialogProps) {
  const [edits, setEdits] = useState<Edits>({});
  const fields = fieldsOf(person, edits);
  const [choosing, choose] = useState(false);
  const { busy, fault, submit } = useSaving(t.failed);
  const set = (change: Edits) => setEdits((old) => ({ ...old, ...change }));

  const save = submit(async () => {
    await calls.change(person.id, changeOf(person, edits));
    onDone(t.saved);
  });
  const changed = JSON.stringify(fields) !== JSON.stringify(fieldsOf(person));
  async function closeWith(next: () => void): Promise<void> {
    if (busy) return;
    if (!changed || (await confirmDiscard(common.notSaved))) next();
  }
  const reactivate = submit(async () => {
    await calls.reactivate(person.id);
    onDone(t.reactivated(person.name));
  });

  if (person.state === 'deactivated') {
    return (
      <Dialog title={person.name} size="sm" isOpen onOpenChange={onClose}>
        <DialogBody>
          <ErrorAlert error={fault} />
          <p className="text-muted">{person.email}</p>
        </DialogBody>
        <DialogFooter>
          <Button onPress={onLeave}>{t.handOver}</Button>
          <Button variant="primary" busy={busy} onPress={() => void reactivate()}>
            {t.reactivate}
          </Button>
        </DialogFooter>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={person.name}
      size="md"
      isOpen
      onOpenChange={() => void closeWith(onClose)}
      isUnsaved={changed}
    >
      <form className="contents" noValidate onSubmit={(event) => void save(event)}>
        <DialogBody className="flex flex-col gap-4">
          <ErrorAlert error={fault} />
          <p className="text-muted">{person.email}</p>
          <Select
            label={t.role}
            description={ROLE_TEXTS[fields.role]}
            options={ROLE_OPTIONS}
            value={fields.role}
            onChange={(key) => set({ role: key as Role, permissions: {} })}
          />
          <div className="flex min-h-9 items-center gap-3">
            <div className="min-w-0 flex-1">
              <p className="text-sm font-medium">{t.whichClients}</p>
              <p className="text-muted">{clientsText(person)}</p>
            </div>
            {person.role !== 'admin' && (
              <Button size="sm" aria-label={t.changeClientsOf(person.name)} onPress={() => choose(true)}>
                {t.changeClients}
              </Button>
            )}
          </div>
          <fieldset className="flex flex-col gap-1.5">
            <legend className="mb-1.5 text-sm font-medium">{t.permissions}</legend>
            {fields.role === 'admin' && <p className="text-muted">{t.permissionsAdmin}</p>}
            {fields.role !== 'admin' &&
              ADJUSTABLE_PERMISSIONS.map((permission) => {
                // It narrows only what somebody with assigned clients sees.
                const isImplied = permission === 'documents.unassigned' && person.client_scope === 'all';
                return (
                  <Checkbox
                    key={permission}
                    isSelected={isImplied || fields.allowed.includes(permission)}
                    isDisabled={isImplied}
                    description={isImplied && t.seesAllClients}
                    onChange={(on) => set({ permissions: { ...edits.permissions, [permission]: on } })}
                  >
                    {ADJUSTABLE[permission]}
                  </Checkbox>
                );
              })}
          </fieldset>
          <Checkbox
            isSelected={fields.limited}
            description={t.hoursHint}
            onChange={(limited) => set({ limited })}
          >
            {t.hours}
          </Checkbox>
          {fields.limited && (
            <fieldset className="flex flex-wrap items-end gap-x-4 gap-y-2">
              <legend className="sr-only">{t.days}</legend>
              {DAYS.map((name, index) => (
                <Checkbox
                  key={name}
                  aria-label={name}
                  isSelected={fields.days.includes(index + 1)}
                  onChange={(on) =>
                    set({ days: on ? [...fields.days, index + 1] : without(fields.days, index + 1) })
                  }
                >
                  {name.slice(0, 3)}
                </Checkbox>
              ))}
              <TextField
                label={t.from}
                type="time"
                className="w-32"
                value={fields.from}
                onChange={(from) => set({ from })}
              />
              <TextField
                label={t.to}
                type="time"
                className="w-32"
                value={fields.to}
                onChange={(to) => set({ to })}
              />
            </fieldset>
          )}
          <TextArea
            label={t.networks}
            description={t.networksHint}
            rows={2}
            value={fields.networks}
            onChange={(networks) => set({ networks })}
          />
          <TextField
            label={t.downloads}
            description={
              person.daily_downloads === null ? t.downloadsHint : t.downloadsToday(person.downloads_today)
            }
            inputMode="numeric"
            value={fields.downloads}
            onChange={(downloads) => set({ downloads })}
          />
        </DialogBody>
        <DialogFooter>
          {!person.is_you && (
            <Button className="mr-auto text-danger-text" onPress={() => void closeWith(onLeave)}>
              {t.deactivate}
            </Button>
          )}
          <Button onPress={() => void closeWith(onClose)}>{common.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy} busyLabel={common.saving}>
            {common.save}
          </Button>
        </DialogFooter>
      </form>
      {/* Outside the form, since it has a form of its own. */}
      {choosing && (
        <ClientsDialog
          person={person}
          onClose={() => choose(false)}
          onDone={(message) => {
            choose(false);
            onSaved(message);
          }}
        />
      )}
    </Dialog>
  );
}
