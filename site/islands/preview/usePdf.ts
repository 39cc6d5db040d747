import { useEffect, useState } from 'react';
import type { Pdf } from './pdf.ts';
import { openPdf } from './pdf.ts';

export interface TypedPassword {
  password: string;
  /** Whether other documents of the client are tried with it. */
  remember: boolean;
}

export type Opening =
  | { state: 'loading' }
  | { state: 'locked'; again: boolean; answer: (typed: TypedPassword) => void }
  | { state: 'open'; pdf: Pdf; size: { width: number; height: number }; wasLocked: boolean }
  | { state: 'failed' };

/** What is known of passwords elsewhere, and who wants to know of one that was typed and fits. Must stay the same. */
export interface Passwords {
  known: () => Promise<string | null>;
  typed: (typed: TypedPassword) => void;
}

/** A PDF on its way to be shown. */
export function usePdf(url: string, passwords: Passwords): Opening {
  const [opening, setOpening] = useState<Opening>({ state: 'loading' });
  useEffect(() => {
    let ended = false;
    let wasLocked = false;
    let typed: TypedPassword | null = null;
    const show = (next: Opening) => !ended && setOpening(next);
    const ask = async (again: boolean): Promise<string | null> => {
      const isFirst = !wasLocked;
      wasLocked = true;
      // Who cannot be asked knows nothing.
      const known = isFirst ? await passwords.known().catch(() => null) : null;
      if (known !== null) return known;
      const answered = await new Promise<TypedPassword>((answer) =>
        // What was known and does not fit was nobody's mistake here.
        show({ state: 'locked', again: again && typed !== null, answer }),
      );
      typed = answered;
      return answered.password;
    };
    const task = openPdf(url, ask);
    async function open() {
      const pdf = await task.promise;
      const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
      show({ state: 'open', pdf, size: { width, height }, wasLocked });
      if (typed && !ended) passwords.typed(typed);
    }
    open().catch(() => show({ state: 'failed' }));
    return () => {
      ended = true;
      void task.destroy();
    };
  }, [url, passwords]);
  return opening;
}
