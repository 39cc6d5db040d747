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

const NOBODY = 'nobody';

export interface DeactivateDialogProps {
  person: PersonView;
  people: readonly PersonView[];
  onClose: () => void;
  onDone: (said: string) => void;
}

/** Ends somebody's access, or hands over what one who has left owns. */
export function DeactivateDialog({ person, people, onClose, onDone }: DeactivateDialogProps) {
  const left = person.state === 'deactivated';
  const heirs = people.filter(({ id, state }) => id !== person.id && state !== 'deactivated');
  const own = heirs.find(({ is_you }) => is_you);
  const [heir, setHeir] = useState(left ? String(own?.id ?? NOBODY) : NOBODY);
  const { busy, fault, submit } = useSaving(t.failed);
  const chosen = heir === NOBODY ? null : Number(heir);

  const send = submit(async () => {
    if (left) await calls.handOver(person.id, chosen);
    else await calls.deactivate(person.id, chosen);
    onDone(left ? t.handedOver : t.isDeactivated(person.name));
  });
  const options = heirs.map(({ id, name }) => ({ id: String(id), label: name }));

  return (
    <Dialog
      title={left ? t.handOverTitle(person.name) : t.deactivateTitle(person.name)}
      role="alertdialog"
      isOpen
      onOpenChange={onClose}
    >
      <DialogBody className="flex flex-col gap-4">
        <ErrorAlert error={fault} />
        {!left && <p>{t.deactivateAbout(person.name)}</p>}
        <Select
          label={t.heir}
          options={left ? options : [{ id: NOBODY, label: t.heirNobody }, ...options]}
          value={heir}
          onChange={(key) => setHeir(String(key))}
        />
      </DialogBody>
      <DialogFooter>
        <Button autoFocus onPress={onClose}>
          {common.cancel}
        </Button>
        <Button variant={left ? 'primary' : 'danger'} busy={busy} onPress={() => void send()}>
          {left ? t.handOver : t.deactivateNow}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
