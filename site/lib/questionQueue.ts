import type { ReadableAtom } from 'nanostores';
import { atom } from 'nanostores';

export interface PendingQuestion<Question, Answer> {
  /** For the dialog's React key: state of one question must not carry over to the next. */
  id: number;
  question: Question;
  answer: (answer: Answer) => void;
}

interface QuestionQueue<Question, Answer> {
  /** The question on the screen. */
  $current: ReadableAtom<PendingQuestion<Question, Answer> | null>;
  ask: (question: Question) => Promise<Answer>;
}

/** A FIFO queue of dialog questions; `ask` resolves with the user's answer. */
export function createQuestionQueue<Question, Answer>(): QuestionQueue<Question, Answer> {
  const queue: PendingQuestion<Question, Answer>[] = [];
  const $asked = atom<PendingQuestion<Question, Answer> | null>(null);
  let lastId = 0;
  const next = () => $asked.set(queue[0] ?? null);
  return {
    $current: $asked,
    ask: (question) =>
      new Promise((resolve) => {
        const pending: PendingQuestion<Question, Answer> = {
          id: (lastId += 1),
          question,
          answer(answer) {
            const index = queue.indexOf(pending);
            if (index === -1) return;
            queue.splice(index, 1);
            next();
            resolve(answer);
          },
        };
        queue.push(pending);
        next();
      }),
  };
}
