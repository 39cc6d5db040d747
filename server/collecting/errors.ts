import { AppError } from '#server/http/errors.ts';
import type { Reason } from './contract.ts';

/** Texts of refusals for senders; the page repeats them in the sender's language, by the code. */
const REASON_TEXTS: Record<Exclude<Reason, 'locked' | 'taken_back'>, string> = {
  empty: 'This file is empty. Open it to check, and send it again.',
  program: 'This is a program, not a document. It was not accepted.',
  not_what_it_says:
    'This file is not what its name says, or it is damaged. Open it to check, and send it again.',
  kind: 'Files of this type are not accepted. Send a PDF, a photograph or an office document.',
  infected: 'This file contains a virus. It was not accepted.',
  closed: 'This link is not available. Ask the office that sent it for a new one.',
  lost: 'This file could not be saved. Please send it again.',
};

export const refused = (reason: Exclude<Reason, 'locked' | 'taken_back'>): AppError =>
  new AppError(422, reason, REASON_TEXTS[reason], { errors: { file: [REASON_TEXTS[reason]] } });

/** The same error for every address that accepts nothing, whatever the reason. */
export const doorClosed = (): AppError => new AppError(404, 'link_gone', REASON_TEXTS.closed);

/** A slot of an open link that takes nothing more: a document that is accepted, or is not asked for any more. */
export const notNeeded = (): AppError =>
  new AppError(404, 'not_needed', 'This document is accepted already, or not asked for any more.');

const fileError = (code: string, message: string) =>
  new AppError(422, code, message, { errors: { file: [message] } });
export const fileTooLarge = (megabytes: number): AppError =>
  fileError(
    'file_too_large',
    `A file may have at most ${megabytes} MB here. Send it in parts, or ask the office.`,
  );
export const notPaper = (): AppError =>
  fileError('papers_only', 'Only PDFs and photographs can be sent through this link. Send it as a PDF.');
export const tooMany = (): AppError =>
  fileError('too_many', 'Nothing more can be sent through this link. Ask the office for a new one.');

/** A full vault is the firm's own matter: the sender only learns that the file is not at fault. */
export const cannotReceive = (): AppError =>
  fileError(
    'cannot_receive',
    'The office cannot receive files right now. Nothing is wrong with your file: tell the office, and try again later.',
  );
