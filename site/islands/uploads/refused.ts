import { createQuestionQueue } from '../../lib/questionQueue.ts';

export interface Refused {
  refused: readonly File[];
  /** How many of what was chosen can be uploaded. */
  others: number;
}

/** Whether to go on with the other files. */
export const refusedFiles = createQuestionQueue<Refused, boolean>();
