import { useState } from 'react';
import type { PersonView } from '#server/team/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/team.ts';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { calls } from './calls.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { useSaving } from '../../lib/useSaving.ts';

export interface StayDialogProps {
  people: readonly PersonView[];
  /** The number of people that the plan allows. */
  allowed: number;
  onClose: () => void;
  onDone: (message: string) => void;
}

/** Chooses who stays active when the plan allows fewer people; the others are deactivated. */
export function StayDialog({ people, allowed, onClose, onDone }: StayDialogProps) {
  const active = people.filter(({ state }) => state !== 'deactivated');
  const [staying, setStaying] = useState(active.filter(({ is_you }) => is_you).map(({ id }) => id));
  const { busy, fault, submit } = useSaving(t.failed);
  const send = submit(async () => {
    await calls.keep(staying);
    onDone(t.othersDeactivated);
  });

  return (
    <Dialog title={t.stayTitle} isOpen onOpenChange={onClose}>
      <form className="contents" onSubmit={(event) => void send(event)}>
        <DialogBody className="flex flex-col gap-2">
          <ErrorAlert error={fault} />
          <p className="mb-2">{t.stayAbout(allowed)}</p>
          {active.map(({ id, name, is_you }) => (
            <Checkbox
              key={id}
              isSelected={staying.includes(id)}
              isDisabled={is_you || (!staying.includes(id) && staying.length >= allowed)}
              onChange={(on) =>
                setStaying(on ? [...staying, id] : staying.filter((personId) => personId !== id))
              }
            >
              {name}
            </Checkbox>
          ))}
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="danger" busy={busy}>
            {t.keepChosen}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
