import { plural } from './language.ts';

export const title = 'Trash';

// Moving to Trash, wherever that is done
/** `days`: null for what a legal hold keeps longer. */
export const itemStays = (days: number | null) =>
  days === null
    ? 'It goes to Trash.'
    : plural(days, { one: 'It stays in Trash for 1 day.', other: 'It stays in Trash for # days.' });
const itemsStay = (days: number | null) =>
  days === null
    ? 'They go to Trash.'
    : plural(days, { one: 'They stay in Trash for 1 day.', other: 'They stay in Trash for # days.' });
export const folderStays = (days: number | null) =>
  `This folder and all of its contents will be deleted. ${itemsStay(days)}`;
export const deleteAbout = (n: number, days: number | null) =>
  `Are you sure you want to delete ${n} selected item(s)? ${itemsStay(days)}`;
export const movedOne = (name: string) => `“${name}” moved to Trash`;
export const moved = (n: number) =>
  plural(n, { one: '1 item moved to Trash', other: '# items moved to Trash' });

// Trash.tsx
export const list = 'Items in Trash';
export const itemCount = (n: number) => plural(n, { one: '1 item', other: '# items' });
export const loadedItems = (count: string, more: boolean) =>
  more ? `${count} items or more` : `${count} items`;
export const totalSize = (bytes: string) => `${bytes} in all`;
export const empty = 'Empty Trash';
export const emptyShort = 'Empty';
export const nothing = 'Trash is empty';
export const nothingAbout = (days: number) =>
  plural(days, {
    one: 'What you delete comes here, and stays for 1 day before it is deleted forever.',
    other: 'What you delete comes here, and stays for # days before it is deleted forever.',
  });
export const noTrash =
  'On this server, what is deleted does not come here: it is deleted at once and forever.';
export const noMatch = 'Nothing in Trash matches these filters.';
export const showAll = 'Show all';
export const goToDrive = 'Go to My Drive';
export const loadFailed = 'Failed to load Trash';

// FilterBar.tsx
export const search = 'Search Trash';
export const deletedBy = 'Deleted by';

// columns.tsx
export const formerFolder = 'Where it was';
export const containsMatch = (name: string, others: number) =>
  others === 0
    ? `Holds “${name}”`
    : `Holds “${name}” and ${plural(others, { one: '1 more', other: '# more' })}`;
export const containsMatchAt = (place: string, others: number) =>
  `${containsMatch(place, others)}. It comes back with this folder.`;
export const deletedAt = 'Deleted';
export const size = 'Size';
export const staysUntil = 'Stays until';
export const until = (date: string) => `until ${date}`;
export const deletedOn = (moment: string, who: string) => `Deleted ${moment} by ${who}`;
export const deletedForeverFrom = (moment: string) => `Deleted forever from ${moment} on`;
export const noFiles = 'No files';
export const filesIn = (n: number) => plural(n, { one: '1 file', other: '# files' });
export const restoreNamed = (name: string) => `Restore ${name}`;

// TrashBar.tsx, actions
export const restore = 'Restore';
export const restoreTo = 'Restore to...';
export const deleteForever = 'Delete forever';
export const restoreOneQuestion = (name: string) => `Restore “${name}”?`;
export const restoreOneAbout = (folder: string) => `It goes back to where it was: ${folder}.`;
export const restoreFolderAbout = (folder: string) =>
  `It goes back with everything in it to where it was: ${folder}.`;
export const restoreOneTo = (name: string) => `Restore “${name}”`;
export const restoreItemsTo = (n: number) => plural(n, { one: 'Restore 1 item', other: 'Restore # items' });
export const restoreHere = (folder: string) => `Restore to ${folder}`;
export const restoredOne = (name: string) => `“${name}” restored`;
export const restoredItems = (n: number) => plural(n, { one: '1 item restored', other: '# items restored' });
export const foldersRemade = (n: number, first: string) =>
  plural(n, {
    one: `Its folder “${first}” is deleted, so a new one was made.`,
    other: '# folders are deleted, so new ones were made.',
  });
export const restoredAs = (name: string) => `Its name was taken: it is called “${name}” now.`;
export const renamedSome = (n: number) =>
  plural(n, {
    one: 'The name of 1 item was taken: it has a number now.',
    other: 'The names of # items were taken: they have numbers now.',
  });
export const show = 'Show';
export const restoreFailed = 'Failed to restore items. Please try again.';
export const notRestored = (n: number) =>
  plural(n, { one: '1 item could not be restored', other: '# items could not be restored' });
export const foreverOneQuestion = (name: string) => `Delete “${name}” forever?`;
export const foreverQuestion = (n: number) =>
  plural(n, { one: 'Delete 1 item forever?', other: 'Delete # items forever?' });
export const foreverAbout = (n: number) =>
  `Are you sure you want to delete ${n} selected item(s)? This action cannot be undone.`;
export const noUndo = 'This action cannot be undone.';
export const deletedForever = (n: number) =>
  plural(n, { one: '1 item deleted forever', other: '# items deleted forever' });
export const notDeleted = (n: number) => `Failed to delete ${n} item(s)`;
export const deleteFailed = 'Failed to delete items. Please try again.';
export const emptyQuestion = 'Empty Trash?';
export const emptyAbout = (n: number, bytes: string) =>
  plural(n, {
    one: `1 item (${bytes}) is deleted forever. This action cannot be undone.`,
    other: `# items (${bytes}) are deleted forever. This action cannot be undone.`,
  });
export const emptyFailed = 'Failed to empty Trash. Please try again.';
