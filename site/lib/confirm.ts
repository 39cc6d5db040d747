import { atom } from 'nanostores';
import * as common from '#messages/common.ts';

export interface ConfirmOptions {
  title: string;
  /** One or two sentences: the consequences, and whether they can be undone. */
  body?: string;
  /** Label of the confirming button, with verb and object: "Delete 'Form 16.pdf'". */
  action: string;
  cancel?: string;
  danger?: boolean;
  /** Items that the action skips or treats in another way, each with the reason. */
  except?: readonly { name: string; message: string }[];
  /** The action is impossible for the reason in `body`: the dialog has no confirming button. */
  refused?: boolean;
}

interface PendingConfirmation extends ConfirmOptions {
  answer: (confirmed: boolean) => void;
}

/** The open confirmation, rendered by ConfirmHost. */
export const $confirmation = atom<PendingConfirmation | null>(null);

/** Opens a confirmation dialog; false when cancelled. A second call cancels the first. */
export function confirm(options: ConfirmOptions): Promise<boolean> {
  $confirmation.get()?.answer(false);
  return new Promise((resolve) => {
    $confirmation.set({
      ...options,
      answer: (confirmed) => {
        $confirmation.set(null);
        resolve(confirmed);
      },
    });
  });
}

/** Takes back the question of this title, whose reason is gone. */
export function withdraw(title: string): void {
  const question = $confirmation.get();
  if (question?.title === title) question.answer(false);
}

/** Asks before unsaved input is discarded. @param body what has not been saved. */
export const confirmDiscard = (body: string): Promise<boolean> =>
  confirm({
    title: common.discardChanges,
    body,
    action: common.discard,
    cancel: common.keepEditing,
    danger: true,
  });
