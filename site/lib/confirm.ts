import { atom } from 'nanostores';

export interface ConfirmOptions {
  title: string;
  /** One or two sentences: what will happen, whether it can be undone. */
  body?: string;
  /** The button that says yes, naming the act and its object: "Delete 'Form 16.pdf'". */
  action: string;
  cancel?: string;
  danger?: boolean;
  /** What is left out of it, each with the reason. */
  except?: readonly { name: string; message: string }[];
  /** It cannot be done, for the reason in the body: there is no yes. */
  refused?: boolean;
}

interface Asked extends ConfirmOptions {
  answer: (yes: boolean) => void;
}

/** The question on the screen, for ConfirmHost. */
export const $confirmation = atom<Asked | null>(null);

/** Asks in a dialog; false when cancelled in any way. A second question answers the first with no. */
export function confirm(question: ConfirmOptions): Promise<boolean> {
  $confirmation.get()?.answer(false);
  return new Promise((resolve) => {
    $confirmation.set({
      ...question,
      answer: (yes) => {
        $confirmation.set(null);
        resolve(yes);
      },
    });
  });
}
