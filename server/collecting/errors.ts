import { AppError } from '#server/http/errors.ts';
import type { Reason } from './contract.ts';

/** What a sender is told of what is refused; the page says it again in the sender's language, by the code. */
const WORDS: Record<Exclude<Reason, 'locked'>, string> = {
  empty: 'This file is empty. Open it to check, and send it again.',
  program: 'This is a program, not a document. It was not accepted.',
  not_what_it_says:
    'This file is not what its name says, or it is damaged. Open it to check, and send it again.',
  kind: 'Files of this type are not accepted. Send a PDF, a photograph or an office document.',
  infected: 'This file contains a virus. It was not accepted.',
  closed: 'This link is not available. Ask the office that sent it for a new one.',
  lost: 'This file could not be saved. Please send it again.',
};

export const refused = (reason: Exclude<Reason, 'locked'>): AppError =>
  new AppError(422, reason, WORDS[reason], { errors: { file: [WORDS[reason]] } });

/** One answer to every address by which nothing can be sent, whatever the reason. */
export const closedDoor = (): AppError => new AppError(404, 'link_gone', WORDS.closed);

const sized = (code: string, message: string) =>
  new AppError(422, code, message, { errors: { file: [message] } });
export const fileTooLarge = (megabytes: number): AppError =>
  sized(
    'file_too_large',
    `A file may have at most ${megabytes} MB here. Send it in parts, or ask the office.`,
  );
export const notPaper = (): AppError =>
  sized('papers_only', 'Only PDFs and photographs can be sent through this link. Send it as a PDF.');
export const tooMany = (): AppError =>
  sized('too_many', 'Nothing more can be sent through this link. Ask the office for a new one.');

/** A full vault is the firm's own matter: a sender learns that it is not the file's fault, and no more. */
export const cannotReceive = (): AppError =>
  sized(
    'cannot_receive',
    'The office cannot receive files right now. Nothing is wrong with your file: tell the office, and try again later.',
  );
