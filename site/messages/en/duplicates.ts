import { plural } from './language.ts';

export const title = 'Duplicates';
export const about = 'Files with the same content. Keep one of each to save space.';
export const none = 'There are no duplicates.';
export const loadFailed = 'The duplicates could not be loaded. Please try again.';
export const loading = 'Looking for duplicates';
export const more = 'Show more';
export const copies = (n: number, each: string) =>
  plural(n, { one: `1 copy of ${each}`, other: (n) => `${n} copies of ${each} each` });
export const freedSpace = (size: string) => `frees ${size}`;
export const copyToKeep = (name: string) => `Which copy of ${name} to keep`;
export const moreCopies = (n: number) => plural(n, { one: 'And 1 more copy.', other: 'And # more copies.' });
export const keepOne = (others: number) =>
  plural(others, {
    one: 'Keep the chosen one, delete 1 other',
    other: 'Keep the chosen one, delete # others',
  });
export const question = (others: number) =>
  plural(others, { one: 'Delete 1 copy?', other: 'Delete # copies?' });
export const noUndo = (kept: string) => `“${kept}” stays. This action cannot be undone.`;
export const othersStay = (kept: string, days: number) =>
  plural(days, {
    one: () => `“${kept}” stays. The others stay in Trash for 1 day.`,
    other: (n) => `“${kept}” stays. The others stay in Trash for ${n} days.`,
  });
/** @param places of copies that do not belong to the client of the kept one. */
export const ofOtherClients = (places: readonly string[]) =>
  plural(places.length, {
    one: `The deleted copy belongs elsewhere: ${places[0]}.`,
    other: (n) =>
      `${n} of the deleted copies belong elsewhere: ${places.slice(0, 5).join('; ')}${places.length > 5 ? '…' : ''}.`,
  });
export const remove = (n: number) => plural(n, { one: 'Delete 1 copy', other: 'Delete # copies' });
export const deleted = (n: number) => plural(n, { one: '1 copy deleted', other: '# copies deleted' });
export const someFailed = (n: number) =>
  plural(n, { one: '1 copy could not be deleted', other: '# copies could not be deleted' });
export const deleteFailed = 'Failed to delete. Please try again.';
