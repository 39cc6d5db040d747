import { plural } from './language.ts';

// Review.tsx
export const remaining = (values: string, files: string) => `${values} in ${files}`;
export const valuesLeft = (n: number) => plural(n, { one: '1 value', other: '# values' });
export const filesLeft = (n: number) => plural(n, { one: '1 document', other: '# documents' });
export const refused = (n: number) =>
  plural(n, {
    one: '1 answer was not saved and comes again at the end',
    other: '# answers were not saved and come again at the end',
  });
export const allDone = 'Nothing to review';
export const allDoneAbout =
  'When a value in a document, such as a PAN or an amount, was read with doubt, it waits here with its place on the page, and you confirm or correct it.';
export const reading = (n: number) =>
  plural(n, { one: 'Reading 1 document...', other: 'Reading # documents...' });
export const readingAbout = 'Values that are read with doubt appear here by themselves.';
export const backToLast = 'Back to the last value';
export const othersReviewing = 'Colleagues are looking at the rest';
export const othersReviewingAbout = 'What they leave comes back here in a few minutes.';
export const skippedAll = 'You have been through all of them';
export const skippedAllAbout = (n: number) =>
  plural(n, { one: '1 value was left for later.', other: '# values were left for later.' });
export const startAgain = 'Start again';
export const client = 'Client';
export const allClients = 'All clients';
export const noClient = 'No client';
export const value = 'Value';
export const confirm = 'Confirm';
export const later = 'Later';
export const keysHelp =
  'Enter: confirm, save what you typed, or clear what you emptied · ↓: later · ↑: back · Ctrl+Z: take back the last answer · Esc: undo what you typed';
export const typeKeysHelp =
  'Enter: confirm, or save what you chose · Page Down: later · Page Up: back · Ctrl+Z: take back the last answer · Esc: undo what you chose';
export const nothingToUndo = 'Nothing to undo';
export const didYouMean = (value: string) => `Did you mean ${value}?`;
export const applySuggestion = 'Use it (F2)';
export const alreadyAnswered = 'You have answered this already. Enter changes your answer.';
export const noPagePicture = 'There is no picture of this place.';
export const noLineOfText =
  'The text of this document does not show where the value stands. Open the document to compare.';
export const lineOfText = 'In the document';
export const placeLoading = 'The place on the page is being loaded';
export const placeOf = (name: string, page: number) => `${name}, page ${page}`;
export const openDocument = 'Open the document';
export const readAs = (raw: string) => `On the page: ${raw}`;
