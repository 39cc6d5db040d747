import type { UserView } from '#server/auth/contract.ts';
import * as t from '#messages/auth.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { leaveUnsaved } from '../../lib/unsaved.ts';

function goOn(): void {
  leaveUnsaved();
  location.replace('/dashboard');
}

/** Covers the page of `user` after `by` has signed in in another tab: it is not theirs to read or to send. */
export function Replaced({ user, by }: { user: UserView; by: UserView }) {
  return (
    <Dialog
      title={t.signedInNow(by.name)}
      isOpen
      onOpenChange={() => {}}
      isKeyboardDismissDisabled
      hasClose={false}
      isCover
    >
      <DialogBody>
        <p className="text-pretty text-muted">{t.signedInNowAbout(user.name, by.name)}</p>
      </DialogBody>
      <DialogFooter>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog must take the focus somewhere */}
        <Button variant="primary" onPress={goOn} autoFocus>
          {t.goOnAs(by.name)}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
