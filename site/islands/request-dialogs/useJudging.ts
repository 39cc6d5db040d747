import type { RefObject } from 'react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { JudgeRow } from '#server/requests/contract.ts';
import { useBusy } from '../../lib/useBusy.ts';

export interface JudgingProps {
  /** @returns whether it was saved. */
  onJudge: (how: JudgeRow) => Promise<boolean>;
  /** Called with the typed reason that is not sent; '' for none. */
  onTyping: (reason: string) => void;
}

/**
 * The judgement of a document or of one of its files: at once, or with a reason that is asked for first.
 * @param askButton asks for the reason, and takes it back once it is sent.
 */
export function useJudging(
  { onJudge, onTyping }: JudgingProps,
  askButton: RefObject<HTMLButtonElement | null>,
) {
  const [asking, setAsking] = useState(false);
  const { busy, run } = useBusy();
  const cancel = () => {
    flushSync(() => setAsking(false));
    onTyping('');
    // The field that had the focus is gone; Accept, which is next to it, would be one key away.
    if (asking) askButton.current?.focus();
  };
  const judge = (how: JudgeRow) =>
    void run(async () => {
      // A typed reason stays after a failure, and when a colleague's acceptance is undone in order to send it.
      if ((await onJudge(how)) && how.state !== 'received') cancel();
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
