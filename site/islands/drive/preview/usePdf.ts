import { useCallback, useEffect, useRef, useState } from 'react';
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
    setOpening({ state: 'loading' });
    const ask = (again: boolean) =>
      new Promise<string | null>((answer) => !ended && setOpening({ state: 'locked', again, answer }));
    const task = openPdf(url, ask);
    void (async () => {
      try {
        const pdf = await task.promise;
        const first = (await pdf.getPage(1)).getViewport({ scale: 1 });
        if (!ended) setOpening({ state: 'open', pdf, size: { width: first.width, height: first.height } });
      } catch {
        if (!ended) setOpening({ state: 'failed' });
      }
    })();
    return () => {
      ended = true;
      void task.destroy();
    };
  }, [url]);
  return opening;
}

/** The text of every page, read when it is first looked for. */
export function usePdfText(pdf: Pdf | null): () => Promise<string[][]> {
  const read = useRef<Promise<string[][]> | null>(null);
  useEffect(() => {
    read.current = null;
  }, [pdf]);
  return useCallback(() => {
    if (!pdf) return Promise.resolve([]);
    read.current ??= (async () => {
      const pages: string[][] = [];
      for (let number = 1; number <= pdf.numPages; number += 1) {
        const { items } = await (await pdf.getPage(number)).getTextContent();
        pages.push(items.flatMap((item) => ('str' in item ? [item.str] : [])));
      }
      return pages;
    })();
    return read.current;
  }, [pdf]);
}
