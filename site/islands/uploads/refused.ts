import { createQuestionQueue } from '../../lib/questionQueue.ts';

export interface Refused {
  refused: readonly File[];
  /** Number of chosen files that can be uploaded. */
  others: number;
}

/** The dialog about refused files; resolves to whether to upload the others. */
export const refusedFiles = createQuestionQueue<Refused, boolean>();
