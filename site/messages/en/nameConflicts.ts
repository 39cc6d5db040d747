import { list, plural } from './language.ts';

export const keepBoth = 'Keep both';
export const keepBothAbout = (example: string) => `The new file gets a number, such as “${example}”.`;
export const replace = 'Replace';
export const replaceAbout =
  'The file gets the new content. What it holds now stays as an earlier version of it, and can be restored.';
export const skip = 'Skip';
export const skipAbout = 'The file that is there stays, and the new one is not uploaded.';
export const keepMovedAbout = (example: string) => `What is moved gets a number, such as “${example}”.`;
export const replaceMovedAbout =
  'The file that is moved takes the name. The old one stays beside it with the date.';
export const skipMovedAbout = 'What would be moved stays where it is.';
export const keepRestoredAbout = (example: string) => `What is restored gets a number, such as “${example}”.`;
export const replaceRestoredAbout =
  'The restored file takes the name. The one there now stays beside it with the date.';
export const mergeFolders = 'Merge';
export const mergeFoldersAbout =
  'What the folder contains goes into the folder that is there, where files of a taken name get a number.';
export const emptiedToTrash = 'The emptied folder goes to Trash, with its links.';
export const emptiedDeleted = 'The emptied folder is deleted, with its links. This cannot be undone.';
export const documentsWillBelong = (from: string, to: readonly string[]) =>
  `Documents of ${from} will then belong to ${list(to)}.`;
export const foldersNumbered = 'Folders get a number.';
export const skipRestoredAbout = 'What would be restored stays in Trash.';
export const namesTaken = (n: number) =>
  plural(n, { one: '1 name is already taken', other: '# names are already taken' });
export const nameTaken = (name: string) => `“${name}” is already there`;
export const sameName = (name: string) => `Two of the selected items are named “${name}”`;
export const doForAll = 'Do this for all of them';
export const whatToDo = 'What should be done?';
export const takenNames = 'Names that are taken';
export const moreTaken = (n: number) =>
  plural(n, {
    one: 'And 1 more, to which the choice for all applies.',
    other: 'And # more, to which the choice for all applies.',
  });
export const othersToo = (n: number) =>
  plural(n, {
    one: '1 more file has a name that is free, and is uploaded too.',
    other: '# more files have names that are free, and are uploaded too.',
  });
export const othersMovedToo = (n: number) =>
  plural(n, {
    one: '1 more item has a name that is free, and is moved too.',
    other: '# more items have names that are free, and are moved too.',
  });
export const othersRestoredToo = (n: number) =>
  plural(n, {
    one: '1 more item has a name that is free, and is restored too.',
    other: '# more items have names that are free, and are restored too.',
  });
export const sameContentThere = (n: number) =>
  plural(n, {
    one: '1 more file is already there with the same content and will not be uploaded again.',
    other: '# more files are already there with the same content and will not be uploaded again.',
  });
export const cancelTheUpload = 'Cancel the upload';
export const aFolder = 'a folder';
export const folderOf = (contents: string) => `a folder, ${contents}`;
export const existingFile = (about: string) => `There: ${about}`;
/** Of another of the items that are moved or restored. */
export const alsoChosen = (about: string) => `The other one: ${about}`;
export const isSealed = 'Sealed: cannot be replaced';
export const newFile = (about: string) => `New: ${about}`;
export const movedItem = (about: string) => `Moved: ${about}`;
export const restoredItem = (about: string) => `From Trash: ${about}`;
export const forFile = (name: string) => `For ${name}`;

/** Buttons of the dialog, with the number of what is uploaded, moved or restored. */
export const uploadTheOthers = 'Upload the others';
export const moveItems = (n: number) => plural(n, { one: 'Move 1 item', other: 'Move # items' });
export const moveTheOthers = 'Move the others';
export const restoreItems = (n: number) => plural(n, { one: 'Restore 1 item', other: 'Restore # items' });
export const restoreTheOthers = 'Restore the others';
