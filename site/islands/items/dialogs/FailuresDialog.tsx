import * as common from '#messages/common.ts';
import { Button } from '../../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../../components/Dialog.tsx';

export interface FailuresDialogProps {
  title: string;
  failures: readonly { name: string; message: string }[];
  onClose: () => void;
}

/** Lists the items that an action failed for, each with the reason. */
export function FailuresDialog({ title, failures, onClose }: FailuresDialogProps) {
  return (
    <Dialog title={title} isOpen onOpenChange={onClose} size="md" role="alertdialog">
      <DialogBody>
        <ul className="rounded-md border border-line">
          {failures.map(({ name, message }) => (
            <li key={name + message} className="border-b border-line px-3 py-2 last:border-b-0">
              <p className="font-medium break-words">{name}</p>
              <p className="text-sm text-muted">{message}</p>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onPress={onClose} autoFocus>
          {common.close}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
