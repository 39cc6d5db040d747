import { plural } from './language.ts';

// Recent.tsx
export const loadFailed = 'Failed to load recent files';
export const title = 'Recent Files';
export const searchFiles = 'Search files';
export const searchPlaceholder = 'Search files...';
export const showTips = 'Show the tips';
export const noneYet = 'No recent files';
export const goToDrive = 'Go to My Drive';
export const uploadSome = 'Upload some files to see them here';
export const noneFound = 'No files found';
export const showAll = 'Show all';
export const tryAnother = 'Try a different search term';
export const list = 'Recent files';
export const searchAll = 'Search the whole firm';
export const itemCount = (n: number) => plural(n, { one: '1 item', other: '# items' });
export const itemsOfAll = (shown: number, all: number) =>
  plural(all, { one: `${shown} of 1 item`, other: `${shown} of # items` });

// RecentRow.tsx
export const filesAdded = (n: number, folder: string) =>
  plural(n, { one: (n) => `${n} file added to ${folder}`, other: (n) => `${n} files added to ${folder}` });
export const addedTo = (folder: string) => `Added to ${folder}`;
export const previewFailed = 'Failed to preview file';
export const showNamed = (name: string) => `Show ${name} in its folder`;
export const showInFolder = 'Show in folder';
export const previewNamed = (name: string) => `Preview ${name}`;
export const detailsOf = (name: string) => `Details of ${name}`;
export const downloadNamed = (name: string) => `Download ${name}`;

// Tips.tsx
export const tips = 'Tips';
export const hideTips = 'Hide the tips';
export const allTips = [
  'Files you open, upload, rename or move come to the top of this list.',
  'The box above this list looks only in it, by the names of files and clients.',
  'A click on a name previews images, videos and PDFs; the folder icon shows where the file is kept.',
  'To find any file of the firm, press / and type a part of its name, or words and amounts that stand in it.',
];
