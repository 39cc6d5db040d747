import { useEffect, useState } from 'react';
import type { Pdf } from './pdf.ts';
import { openPdf } from './pdf.ts';

export type Opening =
  | { state: 'loading' }
  | { state: 'locked'; again: boolean; answer: (password: string | null) => void }
  | { state: 'open'; pdf: Pdf; size: { width: number; height: number } }
  | { state: 'failed' };

/** A PDF on its way to be shown. */
export function usePdf(url: string): Opening {
  const [opening, setOpening] = useState<Opening>({ state: 'loading' });
  useEffect(() => {
    let ended = false;
    const show = (next: Opening) => !ended && setOpening(next);
    const ask = (again: boolean) =>
      new Promise<string | null>((answer) => show({ state: 'locked', again, answer }));
    const task = openPdf(url, ask);
    async function open() {
      const pdf = await task.promise;
      const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
      show({ state: 'open', pdf, size: { width, height } });
    }
    open().catch(() => show({ state: 'failed' }));
    return () => {
      ended = true;
      void task.destroy();
    };
  }, [url]);
  return opening;
}
