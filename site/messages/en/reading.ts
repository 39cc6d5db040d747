import { plural } from './language.ts';

// Hits.tsx
export const inside = 'Inside documents';
export const page = (number: number) => `Page ${number}`;
export const slide = (number: number) => `Slide ${number}`;
export const sheet = (name: string) => `Sheet ${name}`;
export const showMore = 'Show more';
export const moreInside = 'More inside documents...';

// ReadingCard.tsx
export const card = 'Text of Documents';
export const about = 'Documents that have been read are found by their words, not only by name.';
export const readOf = (read: string, files: string) => `${read} of ${files} read`;
export const progress = 'Documents read';
export const noText = (n: number) => plural(n, { one: '1 has no text', other: '# have no text' });
export const refused = (n: number) => plural(n, { one: '1 could not be read', other: '# could not be read' });
export const none = 'No documents to read yet.';
export const off = 'Reading is switched off on this server.';
export const paused = 'Paused';
export const pause = 'Pause';
export const resume = 'Resume';
export const loadFailed = 'How much is read could not be loaded. Please try again.';
export const notChanged = 'This could not be changed. Please try again.';

// details/Text.tsx
export const text = 'Text';
export const readAgain = 'Read again';
export const waiting = 'Waiting to be read. It is found by its name until then.';
export const waitingPaused = 'Not read yet: an admin has paused reading.';
export const textFound = 'Read: this file is found by the words in it.';
export const noTextFound = 'No text found. It is found by its name.';
export const scanWaits = (n: number) =>
  plural(n, { one: 'A scan: 1 page waits to be read.', other: 'A scan: # pages wait to be read.' });
export const scanReading = (read: number, pages: number) => `Reading the scan: ${read} of ${pages} pages.`;
export const scanRead = (percent: number) =>
  percent >= 85
    ? 'Scan read: this file is found by the words in it.'
    : `Scan read, but some words are unsure (${percent}%). A sharper scan is found better.`;
export const scanFailed = (n: number) =>
  plural(n, { one: '1 scanned page could not be read.', other: '# scanned pages could not be read.' });
export const somePages = (n: number, all: number) => `${n} of ${all} pages have no text.`;
export const partlyRead: Record<'pages' | 'size' | 'time', string> = {
  pages: 'It has too many pages: only the first ones were read.',
  size: 'It has too much text: only the first part was read.',
  time: 'It took too long: only the first part was read.',
};
export const reasons: Record<
  'locked' | 'damaged' | 'not_this_type' | 'too_large' | 'time' | 'memory' | 'crash',
  string
> = {
  locked: 'Not read: it opens only with a password.',
  damaged: 'Not read: it is damaged.',
  not_this_type: 'Not read: it is not what its name says.',
  too_large: 'Not read: it is too large.',
  time: 'Not read: it took too long.',
  memory: 'Not read: it took too much memory.',
  crash: 'Not read: it is too complex.',
};
