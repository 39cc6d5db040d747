import { atom } from 'nanostores';

/** A call waits until the person has proved who they are, or has given up. */
export const $proofRequest = atom<{ answer: (proved: boolean) => void } | null>(null);

let asked: Promise<boolean> | null = null;

/** Asks once, however many calls need it. @returns false for who gave up. */
export function requestProof(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    $proofRequest.set({
      answer(proved) {
        $proofRequest.set(null);
        asked = null;
        resolve(proved);
      },
    });
  });
  return asked;
}
