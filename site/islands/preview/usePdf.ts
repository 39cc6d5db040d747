import { useEffect, useState } from 'react';
import type { Pdf } from './pdf.ts';
import { openPdf } from './pdf.ts';

export interface TypedPassword {
  password: string;
  /** Whether to try the password for the client's other documents. */
  remember: boolean;
}

type Opening =
  | { state: 'loading' }
  | { state: 'locked'; again: boolean; answer: (typed: TypedPassword) => void }
  | {
      state: 'open';
      pdf: Pdf;
      size: { width: number; height: number };
      wasLocked: boolean;
      wasTyped: boolean;
    }
  /** `damaged`: the bytes are no PDF, so that loading them again does not help. */
  | { state: 'failed'; damaged: boolean };

/** The source of stored passwords, and the callback for a typed password that fits. Must be a stable object. */
export interface Passwords {
  known: () => Promise<string | null>;
  typed: (typed: TypedPassword) => void;
}

/** The state of a PDF being opened. */
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
      // A failed request counts as no stored password.
      const storedPassword = isFirst ? await passwords.known().catch(() => null) : null;
      if (storedPassword !== null) return storedPassword;
      const answered = await new Promise<TypedPassword>((answer) =>
        // A stored password that does not fit is not reported as the user's mistake.
        show({ state: 'locked', again: again && typed !== null, answer }),
      );
      typed = answered;
      return answered.password;
    };
    const task = openPdf(url, ask);
    async function open() {
      const pdf = await task.promise;
      const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
      show({ state: 'open', pdf, size: { width, height }, wasLocked, wasTyped: typed !== null });
      if (typed && !ended) passwords.typed(typed);
    }
    open().catch((error: unknown) =>
      show({ state: 'failed', damaged: error instanceof Error && error.name === 'InvalidPDFException' }),
    );
    return () => {
      ended = true;
      void task.destroy();
    };
  }, [url, passwords]);
  return opening;
}
