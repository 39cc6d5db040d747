import { count, plural } from './language.ts';

// Documents.tsx
export const loadedFiles = (shown: string, more: boolean) => (more ? `${shown}+ files` : `${shown} files`);
export const title = 'Documents';
export const noFiles = 'No files found';
export const showAll = 'Show all files';
export const goToDrive = 'Go to My Drive';
export const noMatch = 'No file matches the search and the filters.';
export const noneYet = 'Every file of the firm is listed here, whatever folder it is in.';
export const allFiles = 'All files';

// FilterBar.tsx
export const allTypes = 'All types';
export const anyTime = 'Any time';
export const betweenDays = 'Between two days';
export const searchFiles = 'Search files';
export const searchPlaceholder = 'Search files...';
export const type = 'Type';
export const owner = 'Owner';
export const allOwners = 'All owners';
export const time = 'Time';
export const from = 'From';
export const to = 'to';
export const until = 'To';

// columns.ts
export const folder = 'Folder';
export const showIn = (folder: string) => `Show in ${folder}`;

// filters.ts
export const financialYear = (year: string) => `FY ${year}`;
export const lastDays = (days: number) => plural(days, { one: 'Last day', other: 'Last # days' });

// useFiles.ts
export const loadFailed = 'Failed to fetch documents';
export const fileCount = (n: number) => plural(n, { one: '1 file', other: '# files' });

// Filter for files received from outside that nobody has opened yet
export const newOnly = 'New only';
/** Files that were sent back to the client who had sent them. */
export const sentBackOnly = 'Sent back';

/** Shown when no file name matches, but the text of documents does. */
export const insideCount = (n: number, more: boolean) =>
  more ? `${n}+ files` : plural(n, { one: '1 file', other: '# files' });
export const noNameMatches = 'No file name matches. These documents contain the words.';

// items/RestText.tsx
/** Selects a list beyond the rows that are loaded; `n` is null while its length is not known. */
export const selectRest = {
  short: (n: number | null) => (n === null ? 'Select all' : `Select all ${count(n)}`),
  long: (n: number | null) => (n === null ? 'Select all that match' : `Select all ${count(n)} that match`),
};
/** The same, where the list is longer than one call accepts. */
export const selectFirst = {
  short: (n: number | null) => (n === null ? 'Select the first' : `Select the first ${count(n)}`),
  long: (n: number | null) =>
    n === null ? 'Select the first that match' : `Select the first ${count(n)} that match`,
};
