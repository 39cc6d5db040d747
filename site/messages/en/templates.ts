import { plural } from './language.ts';

// ApplyDialog.tsx
export const clientCount = (n: number) => plural(n, { one: '1 client', other: '# clients' });
export const folderCount = (n: number) => plural(n, { one: '1 folder', other: '# folders' });
export const forWhom = (whom: string) => `For <b>${whom}</b>`;
export const existingKept = (n: number) =>
  plural(n, {
    one: '1 is there already and left as it is.',
    other: '# are there already and left as they are.',
  });
export const leftOut = (n: number) =>
  plural(n, {
    one: '1 client deleted in the meantime will be left out.',
    other: '# clients deleted in the meantime will be left out.',
  });
export const takenNames = (n: number) =>
  plural(n, {
    one: '1 folder cannot be created, since a file has the name or the folder is sealed.',
    other: '# folders cannot be created, since a file has the name or the folder is sealed.',
  });
export const exampleIn = (place: string) => `Example, in ${place}`;
export const inPlace = (place: string) => `In ${place}`;
export const stopped = (done: string, all: string, soFar: string) =>
  `Stopped after ${done} of ${all}. ${soFar} Apply it again to continue.`;
export const untilThen = (soFar: string) => `Until then: ${soFar} Apply it again to continue.`;
export const createFailed = 'Failed to create the folders. Please try again.';
export const applyTemplate = 'Apply folder template';
export const progressOf = (done: string, all: string) => `${done} of ${all}`;
export const creating = 'Creating folders';
export const template = 'Template';
export const financialYear = 'Financial year';
export const stop = 'Stop';
export const manage = 'Manage templates...';
export const createFolders = 'Create folders';
export const previewFailed = 'Failed to load the preview. Please try again.';
export const loadingPreview = 'Loading the preview';
export const preview = 'Preview';
export const nothingToCreate = 'Nothing to create: all the folders exist already.';
export const willCreate = (created: string, clients: string) => `${created} will be created for ${clients}.`;
export const foldersOf = (name: string) => `Folders of ${name}`;

// EditorDialog.tsx
export const sampleClient = 'Client name';
export const nameRequired = 'Please enter a name';
export const correctLines = 'Correct the lines below first.';
export const noFolders = 'Enter at least one folder.';
export const saveFailed = 'Failed to save the template. Please try again.';
export const newTemplate = 'New template';
export const editTemplate = 'Edit template';
export const moveOut = 'Move out one level';
export const moveIn = 'Move in one level';
export const folders = 'Folders';
export const foldersHint =
  'One folder per line, two spaces for each level. {fy} is the financial year, {client} the client’s name.';
export const previewCount = (folders: string) => `Preview · ${folders}`;
export const linesToCorrect = 'Lines to correct';
export const lineError = (line: number, message: string) => `Line ${line}: ${message}`;
export const moreLines = (n: number) => plural(n, { one: 'and 1 more line', other: 'and # more lines' });
export const foldersAsCreated = 'Folders as created';
export const saveTemplate = 'Save template';

// FolderList.tsx
export const fresh = 'New';
export const existing = 'Already there';
export const taken = 'A file has this name';
export const sealed = 'The folder is sealed';

// ManageDialog.tsx
export const copyName = (name: string) => `${name} (copy)`;
export const copyNumber = (name: string, n: number) => `${name} (copy ${n})`;
export const deleteAbout = 'Folders that were created from it stay as they are.';
export const deleteQuestion = (name: string) => `Delete the template “${name}”?`;
export const deleteFailed = 'Failed to delete the template.';
export const templates = 'Folder templates';
export const builtIn = ' · Built in';
export const copy = (name: string) => `Copy ${name}`;
export const edit = (name: string) => `Edit ${name}`;
export const remove = (name: string) => `Delete ${name}`;
export const noneOwn = 'Your firm has no template of its own yet. Copy one, or make a new one.';
export const back = 'Back';

// useTemplates.ts
export const loadFailed = 'Failed to load the templates';
