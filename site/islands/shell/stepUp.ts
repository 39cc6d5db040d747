import { atom } from 'nanostores';

/** The pending request for step-up authentication, on which API calls wait; null without one. */
export const $proofRequest = atom<{ answer: (proved: boolean) => void } | null>(null);

let pending: Promise<boolean> | null = null;

/** Requests step-up authentication, once for all concurrent calls. @returns false if the user cancelled. */
export function requestProof(): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    $proofRequest.set({
      answer(proved) {
        $proofRequest.set(null);
        pending = null;
        resolve(proved);
      },
    });
  });
  return pending;
}
