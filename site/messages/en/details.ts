import { count, plural } from './language.ts';

export const title = 'Details';
export const close = 'Close details';
export const loadFailed = 'The details could not be loaded. Please try again.';
export const sectionFailed = 'This could not be loaded. Please try again.';
export const loadingSection = (name: string) => `Loading: ${name}`;
export const gone = 'This is not here any more';
export const goneAbout = 'It was deleted, or you have no access to it any more.';
export const noneTitle = 'Nothing is selected';
export const noneAbout = 'Select a row, or move to it with the arrow keys, to see its details.';
export const openPreview = (name: string) => `Preview ${name}`;

// Facts
export const facts = 'Facts';
export const type = 'Type';
export const folder = 'Folder';
/** `PDF (PDF)` would say it twice. */
export const typeOf = (group: string, extension: string) =>
  group.toUpperCase() === extension ? group : `${group} (${extension})`;
export const size = 'Size';
export const sizeExactly = (size: string, bytes: number) => `${size} (${count(bytes)} bytes)`;
export const modified = 'Modified';
export const uploaded = 'Uploaded';
export const created = 'Created';
export const original = 'Original date';
export const sentBack = 'Sent back';
/** When the reason is not known. */
export const sentBackToClient = 'To the client who sent it';
export const owner = 'Owner';
export const sha256 = 'SHA-256';
export const copyHash = 'Copy the SHA-256';
export const hashCopied = 'SHA-256 copied';
export const copyFailed = 'The browser did not allow copying.';

// Place and client
export const place = 'Place';
export const client = 'Client';
export const noClient = 'No client';
export const changeClient = 'Change...';
export const changeClientOf = (name: string) => `Change... the client of ${name}`;

// Access, history
export const access = 'Who has access';
export const allAccess = 'Reasons and all people';
export const andOthers = (n: number) => plural(n, { one: 'and 1 more', other: 'and # more' });
export const history = 'History';
export const allHistory = 'Show all';
export const allHistoryOf = (name: string) => `Show all of the history of ${name}`;
export const noHistory = 'No history yet.';

// Notes
export const notes = 'Notes';
export const addNote = 'Add a note';
export const newNote = 'New note';
export const saveNote = 'Save note';
export const changeNote = 'Edit the note';
export const deleteNote = 'Delete the note';
export const deleteNoteQuestion = 'Delete this note?';
export const deleteNoteAbout = 'This action cannot be undone.';
export const noNotes = 'No notes yet.';
export const allNotes = (n: number) => `Show all ${count(n)}`;
export const edited = 'edited';
export const emptyNote = 'Write a note first';
export const noteFailed = 'The note could not be saved. Please try again.';
export const noteGone = 'This note was deleted in the meantime. You can save your text as a new note.';
export const saveAsNew = 'Save as a new note';
export const noteUnsaved = (name: string) => `Your note about “${name}” is not saved`;
export const valueUnsaved = (value: string, name: string) => `“${value}” of “${name}” is not saved`;
export const noteItemGone =
  'The item was deleted, or you have no access to it any more. Copy your text if you still need it.';
export const backToNote = 'Go on writing';
export const discardNote = 'Discard';
export const noteNotDeleted = 'The note could not be deleted. Please try again.';

// Sums
export const contents = 'Contents';
export const selection = 'Selection';
export const empty = 'This folder is empty.';
export const severalTitle = (n: number) => plural(n, { one: '1 item', other: '# items' });
export const files = 'Files';
export const folders = 'Folders';
export const totalSize = 'Total size';
export const types = 'Types';
export const clients = 'Clients';
export const moreThan = (n: number) => `More than ${count(n)} items: the first are counted.`;
export const filesOf = (n: number) => plural(n, { one: '1 file', other: '# files' });
export const itemsOf = (n: number) => plural(n, { one: '1 item', other: '# items' });
export const otherTypes = (n: number) => plural(n, { one: '1 other type', other: '# other types' });
export const otherClients = (n: number) => plural(n, { one: '1 more client', other: '# more clients' });

// Trash
export const wasIn = 'Was in';
export const deletedBy = 'Deleted by';
export const deletedAt = 'Deleted';
export const staysUntil = 'Stays until';
