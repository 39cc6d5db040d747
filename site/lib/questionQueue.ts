import type { ReadableAtom } from 'nanostores';
import { atom } from 'nanostores';

export interface PendingQuestion<Question, Answer> {
  /** For the dialog's key: what was chosen for one question must not carry over to the next. */
  id: number;
  question: Question;
  answer: (answer: Answer) => void;
}

export interface QuestionQueue<Question, Answer> {
  /** The one on the screen. */
  $current: ReadableAtom<PendingQuestion<Question, Answer> | null>;
  ask: (question: Question) => Promise<Answer>;
}

/** Questions that are asked one after the other. Each is answered, whatever else is asked meanwhile. */
export function createQuestionQueue<Question, Answer>(): QuestionQueue<Question, Answer> {
  const waiting: PendingQuestion<Question, Answer>[] = [];
  const $asked = atom<PendingQuestion<Question, Answer> | null>(null);
  let lastId = 0;
  const next = () => $asked.set(waiting[0] ?? null);
  return {
    $current: $asked,
    ask: (question) =>
      new Promise((resolve) => {
        const asked: PendingQuestion<Question, Answer> = {
          id: (lastId += 1),
          question,
          answer(answer) {
            const at = waiting.indexOf(asked);
            if (at === -1) return;
            waiting.splice(at, 1);
            next();
            resolve(answer);
          },
        };
        waiting.push(asked);
        next();
      }),
  };
}
