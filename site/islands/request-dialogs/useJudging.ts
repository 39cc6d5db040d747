import { useState } from 'react';
import type { JudgeRow } from '#server/requests/contract.ts';
import { useBusy } from '../../lib/useBusy.ts';

export interface JudgingProps {
  /** @returns whether it was saved. */
  onJudge: (how: JudgeRow) => Promise<boolean>;
  /** Called with whether a reason is typed that is not sent. */
  onTyping: (typing: boolean) => void;
}

/** The judgement of a document or of one of its files: at once, or with a reason that is asked for first. */
export function useJudging({ onJudge, onTyping }: JudgingProps) {
  const [asking, setAsking] = useState(false);
  const { busy, run } = useBusy();
  const cancel = () => {
    setAsking(false);
    onTyping(false);
  };
  const judge = (how: JudgeRow) =>
    void run(async () => {
      // After a failure the typed reason stays, for another attempt.
      if (await onJudge(how)) cancel();
    });
  return {
    busy,
    asking,
    ask: () => setAsking(true),
    accept: () => judge({ state: 'accepted', reason: '' }),
    undo: () => judge({ state: 'received', reason: '' }),
    /** For a `ReasonForm`. */
    form: {
      busy,
      onSend: (reason: string) => judge({ state: 'returned', reason }),
      onCancel: cancel,
      onTyping,
    },
  };
}
