import { createQuestionQueue } from '../../lib/questionQueue.ts';

export interface Refused {
  refused: readonly File[];
  /** The number of the other chosen files, which can be uploaded. */
  others: number;
}

/** Asks whether to upload the other files. */
export const refusedFiles = createQuestionQueue<Refused, boolean>();
