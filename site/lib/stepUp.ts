import { atom } from 'nanostores';

/** A call waits until the person has proved who they are, or has given up. */
export const $proofAsked = atom<{ answer: (proved: boolean) => void } | null>(null);

let asked: Promise<boolean> | null = null;

/** Asks once, however many calls need it. @returns false for who gave up. */
export function askForProof(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    $proofAsked.set({
      answer(proved) {
        $proofAsked.set(null);
        asked = null;
        resolve(proved);
      },
    });
  });
  return asked;
}
