import type { Taken } from '#server/documents/contract.ts';
import { createQuestionQueue } from '../../lib/questionQueue.ts';

export type Choice = 'keep' | 'merge' | 'replace' | 'skip';

/** `lastModified` in milliseconds. */
type UploadedFile = Pick<File, 'name' | 'size' | 'lastModified'>;
export interface MovedFile extends UploadedFile {
  folder: boolean;
  /** How much a folder holds, such as `3 items`. */
  contents: string | null;
  /** The client's name. */
  client: string | null;
}

/** A file to upload, or an item to move, whose name is taken in the target folder. */
export interface NameConflict {
  file: UploadedFile & Partial<MovedFile>;
  existing: Taken;
  /** Whether that is there only after this call, since it is another of the chosen items. */
  isChosen?: boolean;
  /** Names of the folders below the target in which it is, outermost first. */
  path?: readonly string[];
}

export interface ConflictQuestion {
  conflicts: readonly NameConflict[];
  /** The number of further files that exist there with the same content, and are not uploaded. */
  sameContent: number;
  /** The number of further files or items, whose names are free: they are uploaded or moved whatever is answered, unless all is cancelled. */
  others?: number;
  /** What is done with the conflicts; uploaded when left out. */
  instead?: 'upload' | 'move' | 'restore';
}

/** Asks once per upload what to do with each taken name; null if the user cancels the whole upload. */
export const conflictQuestions = createQuestionQueue<ConflictQuestion, readonly Choice[] | null>();
