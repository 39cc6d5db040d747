import { useRef } from 'react';
import { useStore } from '@nanostores/react';
import { $question } from '../lib/confirm.ts';
import { Button } from './Button.tsx';
import { Dialog, DialogBody, DialogFooter } from './Dialog.tsx';

/** Shows what `confirm()` asks. One per page, in the layout. */
export function ConfirmHost() {
  const question = useStore($question);
  // Kept for the closing animation, when the store is empty already.
  const last = useRef(question);
  if (question) last.current = question;
  const shown = question ?? last.current;
  if (!shown) return null;
  return (
    <Dialog
      role="alertdialog"
      title={shown.title}
      isOpen={question !== null}
      onOpenChange={(open) => !open && question?.answer(false)}
      hasClose={false}
      isDismissable
    >
      {shown.body && <DialogBody className="text-muted">{shown.body}</DialogBody>}
      <DialogFooter className={shown.body ? '' : 'pt-4'}>
        <Button onPress={() => question?.answer(false)} autoFocus={shown.danger ?? false}>
          {shown.cancel ?? 'Cancel'}
        </Button>
        <Button
          variant={shown.danger ? 'danger' : 'primary'}
          onPress={() => question?.answer(true)}
          autoFocus={!shown.danger}
        >
          {shown.action}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
