import { useState } from 'react';
import * as t from '#messages/preview.ts';

export interface PageFieldProps {
  /** From 1. */
  page: number;
  count: number;
  onGo: (page: number) => void;
}

/** The current page number, editable to go to another page. */
export function PageField({ page, count, onGo }: PageFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const number = Number(typed);
    if (typed && Number.isInteger(number) && number >= 1) onGo(Math.min(number, count));
    setTyped(null);
  };
  return (
    <span className="tabular flex items-center gap-1.5 px-2 whitespace-nowrap max-sm:px-1">
      <input
        aria-label={t.pageField(count)}
        inputMode="numeric"
        value={typed ?? String(page)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={go}
        onKeyDown={(event) => event.key === 'Enter' && go()}
        onFocus={(event) => event.target.select()}
        className="w-11 rounded-xs max-sm:w-9 border border-line-strong bg-surface px-1 py-0.5 text-center"
      />
      <span aria-hidden>/ {count}</span>
    </span>
  );
}
