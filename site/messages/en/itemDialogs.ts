import { count, list, plural } from './language.ts';

// The dialogs of items, apart from items.ts, which every list loads at once.

// ChangeClientDialog.tsx
export const linkOneTitle = (name: string) => `Link “${name}” to a client`;
export const linkTitle = (n: number) =>
  plural(n, { one: 'Link 1 item to a client', other: 'Link # items to a client' });
export const nowOf = (clients: string[]) => `Now: ${list(clients)}`;
export const nowOfSeveral = (n: number, andNone: boolean) =>
  `Now: ${plural(n, { one: 'of 1 client', other: 'of # clients' })}${andNone ? ', some of no client' : ''}`;
export const chooseClient = 'Choose a client';
export const folderClientHint = 'What is put into a folder from now on gets its client too.';
/** What happens to the contents of folders. */
export const linking = {
  many: 'There are more than 1,000 items inside: they are linked as well, in the background.',
  others: 'Link items of other clients as well',
  inside: (n: number) =>
    plural(n, { one: '1 item inside is linked as well.', other: '# items inside are linked as well.' }),
  theirs: (n: number) =>
    plural(n, {
      one: 'Link the 1 item of another client as well',
      other: 'Link the # items of other clients as well',
    }),
};
export const unlinking = {
  many: 'There are more than 1,000 items inside: they are unlinked as well, in the background.',
  others: 'Unlink items of other clients as well',
  inside: (n: number) =>
    plural(n, { one: '1 item inside is unlinked as well.', other: '# items inside are unlinked as well.' }),
  theirs: (n: number) =>
    plural(n, {
      one: 'Unlink the 1 item of another client as well',
      other: 'Unlink the # items of other clients as well',
    }),
};
export const othersStay = 'Items of other clients stay.';
export const insideOfOthers = (n: number) =>
  plural(n, {
    one: '1 item inside belongs to another client and stays.',
    other: '# items inside belong to other clients and stay.',
  });

// FolderDialog.tsx
export const folderAbove = 'Folder above';
export const searchFolders = 'Search all folders';
export const foldersLike = (text: string) => `Folders like ${text}`;
export const foldersIn = (here: string) => `Folders in ${here}`;
export const foldersFailed = 'Failed to fetch documents';
export const notIntoItself = 'A folder cannot be moved into itself';
export const noResults = (text: string) => `No results for “${text}”.`;
export const typeMore = (letters: number) => `Type at least ${count(letters)} letters to search all folders.`;
export const noFoldersIn = (here: string) => `No folders in ${here}.`;
export const alreadyHere = 'Already here';
export const folderGone = (what: string) => `${what} Choose another folder.`;
export const newFolderIn = (folder: string) => `New folder in ${folder}`;

// MoveDialog.tsx
export const moveOne = (name: string) => `Move “${name}”`;
export const moveItems = (n: number) => plural(n, { one: 'Move 1 item', other: 'Move # items' });
export const moveToFolder = (folder: string) => `Move to ${folder}`;
export const folderOfClient = (client: string) => `Client: ${client}`;
/** @param n how many of the chosen items change their client. @param from the present clients. */
export const willBelong = (n: number, chosen: number, to: string, from: readonly string[]) => {
  const what = chosen === 1 ? 'It' : plural(n, { one: '1 item', other: '# items' });
  const instead = from.length > 0 ? ` instead of ${fewClients(from)}` : '';
  return `${what} will belong to ${to}${instead}.`;
};
const fewClients = (clients: readonly string[]): string =>
  clients.length > 3 ? `${count(clients.length)} other clients` : list(clients);
/** @param n how many of the chosen items stay with clients of their own. */
export const willStay = (n: number, chosen: number, clients: readonly string[]) =>
  `${chosen === 1 ? 'It stays' : plural(n, { one: '1 item stays', other: '# items stay' })} with ${fewClients(clients)}.`;
/** @param n how many items in the chosen folders do. */
export const insideWillStay = (n: number, clients: readonly string[]) =>
  `${plural(n, { one: '1 item inside stays', other: '# items inside stay' })} with ${fewClients(clients)}.`;
/** The same of folders with too many items to count. */
export const someInsideStay = 'What is inside and has another client stays with that client.';

// RenameDialog.tsx
export const renameFolder = 'Rename folder';
export const renameFile = 'Rename file';
export const nameRequired = 'Please enter a valid name';
export const renamed = (name: string) => `Renamed to “${name}”`;
export const changeTypeQuestion = (from: string, to: string) =>
  `Change the type from ".${from}" to ".${to}"?`;
export const changeTypeAbout =
  'The contents stay as they are. A file whose ending does not fit its contents cannot be shown.';
export const changeType = (to: string) => `Change to ".${to}"`;
export const keepType = (from: string) => `Keep ".${from}"`;
export const typeKept = (from: string) => `Keep ".${from}" at the end of the name.`;
export const renameFailed = 'Failed to rename item. Please try again.';

// RenameManyDialog.tsx
export const renameItems = (n: number) => plural(n, { one: 'Rename 1 item', other: 'Rename # items' });
export const replaceText = 'Replace this text';
export const replaceWith = 'With this text';
export const addBefore = 'Add before the name';
export const addAfter = 'Add after the name';
export const numbers = 'Number';
/** @param first the first number, with as many digits as the last has. */
export const numbering = {
  none: () => 'No number',
  front: (first: string) => `In front: ${first} Name`,
  end: (first: string) => `At the end: Name ${first}`,
};
export const newNames = 'New names';
export const namesChange = (n: number, of: number) =>
  plural(n, { one: `1 of ${count(of)} names changes.`, other: `# of ${count(of)} names change.` });
export const namesImpossible = (n: number) =>
  plural(n, { one: '1 new name is not possible.', other: '# new names are not possible.' });
export const sealedStay = (n: number) =>
  plural(n, { one: '1 sealed item keeps its name.', other: '# sealed items keep their names.' });
export const becomes = 'becomes';
export const furtherNames = (n: number) => plural(n, { one: 'and 1 more', other: 'and # more' });
export const tooManyToRename = (max: number) => `Rename at most ${count(max)} items at once.`;
export const taken = 'There is already one of this name.';
export const nothingLeft = 'Nothing is left of the name.';
export const renamedItems = (n: number) => plural(n, { one: '1 item renamed', other: '# items renamed' });
export const notRenamed = (n: number) =>
  plural(n, { one: '1 item could not be renamed', other: '# items could not be renamed' });
export const renameManyFailed = 'Failed to rename items. Please try again.';

// UploadDialog.tsx
export const uploadFiles = 'Upload files';
export const chooseOrDrop = '<b>Choose files</b> or drop them here';
export const uploadsTo = (folder: string) => `They are uploaded to ${folder}. Up to 5 GB each.`;
export const uploadClientHint = 'Without a choice, the files get the client of the folder, if it has one.';
export const uploadOthers = (n: number) =>
  plural(n, { one: 'Upload the other file', other: 'Upload the other # files' });
export const chosenFiles = 'Chosen files';
export const removeNamed = (name: string) => `Remove ${name}`;
export const extractContents = 'Extract ZIP file contents';
export const startUpload = 'Start Upload';
export const startUploadOf = (n: number) => plural(n, { one: 'Start Upload (1)', other: 'Start Upload (#)' });
