import { count, list, plural } from './language.ts';

// BulkBar.tsx
export const selection = 'Selection';
export const clearSelection = 'Clear the selection';
export const stop = 'Stop';
export const selectNone = 'Select none';
export const selectAll = 'Select all';
export const moveTo = 'Move to...';
export const changeClient = 'Change client...';

// ColumnHeader.tsx
export const selectLoaded = 'Select all that are loaded';
export const actions = 'Actions';

// ItemMenu.tsx
export const share = 'Share...';
export const file = 'Organise...';
export const inbox = 'Inbox...';
export const versions = 'Versions...';
export const newVersion = 'Upload new version...';
export const labels = 'Labels...';
export const history = 'History';
export const whoHasAccess = 'Who has access';
export const actionsFor = (name: string) => `Actions for ${name}`;
export const actionsForItems = (n: number) =>
  plural(n, { one: 'Actions for 1 item', other: 'Actions for # items' });
export const open = 'Open';
export const lookInside = 'Look inside';
export const showInFolder = 'Show in folder';
export const more = 'More';
export const extractZip = 'Extract ZIP';
export const rename = 'Rename';

// Row.tsx
export const selectNamed = (name: string) => `Select ${name}`;

// actions.ts
export const item = 'Item';
export const deleteOneQuestion = (name: string) => `Delete “${name}”?`;
export const deleteFolderAbout =
  'This folder and all of its contents will be deleted. This action cannot be undone.';
export const noUndo = 'This action cannot be undone.';
export const deleteOne = (name: string) => `Delete “${name}”`;
export const deletedOne = (name: string) => `“${name}” deleted`;
export const deleteFailed = 'Failed to delete item. Please try again.';
export const deleteQuestion = (n: number) => plural(n, { one: 'Delete 1 item?', other: 'Delete # items?' });
export const deleteAbout = (n: number) =>
  `Are you sure you want to delete ${n} selected item(s)? This action cannot be undone.`;
export const deleteItems = (n: number) => plural(n, { one: 'Delete 1 item', other: 'Delete # items' });
export const deleted = (n: number) => plural(n, { one: '1 item deleted', other: '# items deleted' });
export const someNotDeleted = (n: number) => `Failed to delete ${n} item(s)`;
export const noneDeletable = 'None of them can be deleted.';
export const someNotDeletable = (n: number, of: number) =>
  plural(n, { one: `1 of ${count(of)} stays where it is.`, other: `# of ${count(of)} stay where they are.` });
export const someHeld = (n: number, of: number) =>
  plural(n, {
    one: `1 of ${count(of)} is under a legal hold and stays in Trash longer, until the hold is lifted.`,
    other: `# of ${count(of)} are under a legal hold and stay in Trash longer, until the hold is lifted.`,
  });
export const firstShown = (n: number) => `The first ${n}:`;
export const deleteItemsFailed = 'Failed to delete items. Please try again.';
export const notMoved = (n: number) =>
  plural(n, { one: '1 item could not be moved', other: '# items could not be moved' });
export const notMovedBack = (n: number) =>
  plural(n, {
    one: '1 item could not be put back as it was',
    other: '# items could not be put back as they were',
  });
export const moveFailed = 'Failed to move items. Please try again.';
export const changeClientFailed = 'Failed to change the client. Please try again.';
export const downloadFailed = 'Failed to download file. Please try again.';
export const extractQuestion = (name: string) => `Extract “${name}”?`;
export const extractAbout = 'Its contents go into a new folder beside it. The ZIP file stays as it is.';
export const restInBackground = 'The many items inside follow in the background in a moment.';
export const notChanged = (n: number) =>
  plural(n, { one: '1 item could not be changed', other: '# items could not be changed' });

// columns.ts
export const modified = 'Modified';
export const modifiedAndOriginal = (modified: string, original: string) =>
  `Modified ${modified}\nOriginal date ${original}`;
export const size = 'Size';
export const inFolder = (path: string) => `in ${path}`;

// ClientField.tsx
export const clientOptional = 'Client (optional)';

// NewFolderDialog.tsx
export const folderFailed = 'Failed to create folder. Please try again.';
export const folderNameRequired = 'Please enter a folder name';
export const newFolder = 'New Folder';
export const untitledFolder = 'Untitled folder';
export const newFolderClientHint = 'What is put into the folder gets this client too.';
export const create = 'Create';

// useRemovalNotice.ts
export const notThere = (what: string) => `${what} Nothing more can be done with it here.`;

// useItemShortcuts.ts
export const nothingToUndo = 'Nothing to undo';
export const undoWhileShown = 'What you do can be undone while its message is shown.';
export const deletedInTrash = 'What you deleted is in Trash.';

// The selection
export const selected = (n: number) => plural(n, { one: '1 selected', other: '# selected' });
/** Selected are all rows that are loaded, of a longer list; its length is null while it is not known. */
export const selectedLoaded = (n: number, total: number | null) =>
  total === null
    ? plural(n, { one: '1 loaded item selected', other: '# loaded items selected' })
    : `${count(n)} of ${count(total)} selected`;
/** `21 KB + folders`: the size of folders is not known here. */
export const andFolders = (size: string) => `${size} + folders`;
/** The size of a folder. */
export const itemCount = (n: number) => plural(n, { one: '1 item', other: '# items' });

/** Results of an action on one item, by its name, or on several. */
export const linkedOne = (name: string, client: string) => `“${name}” linked to ${client}`;
export const linkedItems = (n: number, client: string) =>
  plural(n, {
    one: (n) => `${n} item linked to ${client}`,
    other: (n) => `${n} items linked to ${client}`,
  });
export const unlinkedOne = (name: string) => `“${name}” unlinked`;
export const unlinkedItems = (n: number) => plural(n, { one: '1 item unlinked', other: '# items unlinked' });
export const withItemsInside = (done: string, n: number) =>
  plural(n, {
    one: (n) => `${done}, with ${n} item inside`,
    other: (n) => `${done}, with ${n} items inside`,
  });
export const movedOne = (name: string, folder: string) => `“${name}” moved to ${folder}`;
export const movedItems = (n: number, folder: string) =>
  plural(n, { one: (n) => `${n} item moved to ${folder}`, other: (n) => `${n} items moved to ${folder}` });

export const movedOneTo = (name: string, folder: string, client: string) =>
  `${movedOne(name, folder)} and now belongs to ${client}`;
export const nowBelong = (n: number, clients: readonly string[]) =>
  plural(n, {
    one: (n) => `${n} item now belongs to ${list(clients)}.`,
    other: (n) => `${n} items now belong to ${list(clients)}.`,
  });
export const emptiedInTrash = (n: number) =>
  plural(n, { one: 'The emptied folder is in Trash.', other: 'The emptied folders are in Trash.' });

export const extract = 'Extract';

// Export of the recognised values
export const valuesAsXlsx = 'Download values (Excel)';
export const valuesFailed = 'The values could not be downloaded. Please try again.';

// NewMark.tsx: files received from outside the firm
export const isNew = 'New';
export const newHint = 'Received from outside; nobody has opened it yet';

// SentBackMark.tsx: files of a request that the client is asked for again
export const sentBack = 'Sent back';

// HeldMark.tsx: files in quarantine
export const held = 'Held back';
export const heldBecause = {
  waiting: 'Nobody can open this file until the virus scanner has looked at it.',
  infected: 'A virus was found in this file. An admin decides what becomes of it.',
  too_large: 'This file is too large for the virus scanner. An admin can release it.',
  program: 'This file is a program, whatever its name says. An admin decides what becomes of it.',
};

// SharedMark.tsx
export const isShared = 'Shared by a link';

// Warnings when a shared item is deleted or moved
export const alsoShared = (n: number) =>
  plural(n, {
    one: 'It is shared by a link, which will no longer show it.',
    other: 'This is shared by # links, which will no longer show it.',
  });
export const movedShared = (n: number) =>
  plural(n, {
    one: 'It is shared by a link. Whoever has the link can open it in its new place.',
    other: 'It is shared by # links. Whoever has one can open it in its new place.',
  });
