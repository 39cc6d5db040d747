import { useStore } from '@nanostores/react';
import * as common from '#messages/common.ts';
import { $confirmation } from '../lib/confirm.ts';
import { Button } from './Button.tsx';
import { Dialog, DialogBody, DialogFooter } from './Dialog.tsx';

/** Renders the dialog of `confirm()`. Once per page, in the layout. Enter confirms, unless the action is destructive. */
export function ConfirmHost() {
  const question = useStore($confirmation, { ssr: 'initial' });
  if (!question) return null;
  const {
    title,
    body,
    action,
    cancel = common.cancel,
    danger = false,
    refused = false,
    except,
    answer,
  } = question;
  return (
    <Dialog
      role="alertdialog"
      title={title}
      isOpen
      onOpenChange={(open) => !open && answer(false)}
      hasClose={false}
      isDismissable
    >
      {body && <DialogBody className="break-words text-muted">{body}</DialogBody>}
      {except && (
        <DialogBody className="max-h-64 overflow-y-auto pt-0">
          <ul className="m-0 flex list-none flex-col gap-2 border-l-2 border-line p-0 pl-3">
            {except.map(({ name, message }, index) => (
              <li key={index} className="break-words">
                <span className="font-medium">{name}</span>
                <span className="block text-sm text-muted">{message}</span>
              </li>
            ))}
          </ul>
        </DialogBody>
      )}
      <DialogFooter className={body ? '' : 'pt-4'}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog must take the focus somewhere */}
        <Button onPress={() => answer(false)} autoFocus={danger || refused}>
          {cancel}
        </Button>
        <Button
          variant={danger ? 'danger' : 'primary'}
          isDisabled={refused}
          onPress={() => answer(true)}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog must take the focus somewhere
          autoFocus={!danger && !refused}
        >
          <span className="max-w-72 truncate">{action}</span>
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
