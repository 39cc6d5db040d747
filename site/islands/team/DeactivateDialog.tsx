import { useState } from 'react';
import type { PersonView } from '#server/team/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/team.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { Select } from '../../components/Select.tsx';
import { calls } from './calls.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { useSaving } from '../../lib/useSaving.ts';

const NO_OWNER = 'nobody';

export interface DeactivateDialogProps {
  person: PersonView;
  people: readonly PersonView[];
  onClose: () => void;
  onDone: (message: string) => void;
}

/** Deactivates a person, or hands over the documents of a deactivated one. */
export function DeactivateDialog({ person, people, onClose, onDone }: DeactivateDialogProps) {
  const isDeactivated = person.state === 'deactivated';
  const candidates = people.filter(({ id, state }) => id !== person.id && state !== 'deactivated');
  const self = candidates.find(({ is_you }) => is_you);
  const [heir, setHeir] = useState(isDeactivated ? String(self?.id ?? NO_OWNER) : NO_OWNER);
  const { busy, fault, submit } = useSaving(t.failed);
  const chosen = heir === NO_OWNER ? null : Number(heir);

  const send = submit(async () => {
    if (isDeactivated) await calls.handOver(person.id, chosen);
    else await calls.deactivate(person.id, chosen);
    onDone(isDeactivated ? t.handedOver : t.isDeactivated(person.name));
  });
  const options = candidates.map(({ id, name }) => ({ id: String(id), label: name }));

  return (
    <Dialog
      title={isDeactivated ? t.handOverTitle(person.name) : t.deactivateTitle(person.name)}
      role="alertdialog"
      isOpen
      onOpenChange={onClose}
    >
      <DialogBody className="flex flex-col gap-4">
        <ErrorAlert error={fault} />
        {!isDeactivated && <p>{t.deactivateAbout(person.name)}</p>}
        <Select
          label={t.newOwner}
          options={isDeactivated ? options : [{ id: NO_OWNER, label: t.keepOwners }, ...options]}
          value={heir}
          onChange={(key) => setHeir(String(key))}
        />
      </DialogBody>
      <DialogFooter>
        <Button autoFocus onPress={onClose}>
          {common.cancel}
        </Button>
        <Button variant={isDeactivated ? 'primary' : 'danger'} busy={busy} onPress={() => void send()}>
          {isDeactivated ? t.handOver : t.deactivateNow}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
