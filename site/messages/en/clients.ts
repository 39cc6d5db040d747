import { count, list, plural } from './language.ts';

// ClientDialog.tsx
/** `what` is a sentence of the server's: who changed it, and when. */
export const changedMeanwhile = (what: string, fields: readonly string[]) =>
  fields.length > 0
    ? `${what} What was changed (${list(fields)}) is filled in below, and what you typed is kept. Check it, then press Update again.`
    : `${what} Check it, then press Update again.`;
export const bothChanged = (field: string, theirs: string) =>
  theirs === ''
    ? `You both changed ${field}: it is empty now. Update keeps yours.`
    : `You both changed ${field}. Update keeps yours and replaces this: ${theirs}`;
export const types = {
  Individual: 'Individual',
  HUF: 'HUF',
  Firm: 'Firm',
  LLP: 'LLP',
  Company: 'Company',
  Trust: 'Trust',
  'AOP/BOI': 'AOP/BOI',
  Society: 'Society',
  Government: 'Government',
};
export const statuses = { Active: 'Active', Inactive: 'Inactive' };
export const updateFailed = 'Failed to update client. Please try again.';
export const createFailed = 'Failed to create client. Please try again.';
export const editClient = 'Edit Client';
export const newClient = 'New Client';
export const nameRequired = 'Name *';
export const dateOfBirth = 'Date of birth';
export const dateOfIncorporation = 'Date of incorporation';
export const groupPlaceholder = 'Family or business group';
export const aadhaarHint = 'An Aadhaar number is stored with its last four digits only.';
export const updating = 'Updating...';
export const creating = 'Creating...';
export const update = 'Update';
export const createClient = 'Create Client';
export const clientGone = (what: string) => `${what} What you typed is still here.`;
export const makeNew = 'Create it as a new client';
export const discardNew = 'Discard this client?';

// ClientRow.tsx, ClientMenu.tsx
export const gstinOf = (gstin: string) => `GSTIN ${gstin}`;
export const filesOf = (name: string) => `Files of ${name}`;
export const files = 'Files';
export const actionsFor = (name: string) => `Actions for ${name}`;
export const edit = 'Edit';
export const applyTemplate = 'Apply folder template...';
export const downloadAll = 'Download all files';
export const copyPan = 'Copy PAN';
export const copyGstin = 'Copy GSTIN';
export const selectClient = (name: string) => `Select ${name}`;

// Clients.tsx, ClientsBar.tsx, useRemoveClient.ts
export const clientCount = (n: number) => plural(n, { one: '1 client', other: '# clients' });
export const alreadyDeleted = 'This client is already deleted.';
export const deleteFailed = 'Failed to delete client. Please try again.';
export const clients = 'Clients';
export const clientsOf = (shown: string, total: string) => `${shown} of ${total}`;
export const importLabel = 'Import';
export const exportLabel = 'Export';
export const more = 'More';
export const selectClients = 'Select clients';
export const showAll = 'Show all clients';
export const importList = 'Import a list';
export const noneAssigned =
  'You see only the clients that are assigned to you. Ask an admin of your firm to assign them before you add any: the firm may have them already.';
export const noMatch = 'No client matches the search and the filters.';
export const noneYet = 'Enter your first client, or bring your list from Excel.';
export const added = (name: string) => `“${name}” added`;
export const updated = (name: string) => `“${name}” updated`;

// Filters.tsx
export const total = 'Total';
export const companies = 'Companies';
export const counters = 'Counters';
export const allTypes = 'All types';
export const anyStatus = 'Any status';
export const byName = 'By name';
export const byCity = 'By city';
export const newestFirst = 'Newest first';
export const lastChangedFirst = 'Last changed first';
export const searchClients = 'Search clients';
export const searchPlaceholder = 'Search clients...';
export const type = 'Type';
export const status = 'Status';
export const order = 'Order';

// ImportDialog.tsx
export const importFailed = 'Failed to import clients. Please try again.';
export const tooLarge = 'This file is over 5 MB. Split the list and import the parts one by one.';
export const imported = 'Clients imported';
export const importedCounts = (created: number, updated: number, skipped: number) =>
  skipped > 0
    ? `${count(created)} added, ${count(updated)} updated, ${count(skipped)} skipped.`
    : `${count(created)} added, ${count(updated)} updated.`;
export const importClients = 'Import clients';
export const sheet = 'Sheet';
export const sheetsOf = (n: number) =>
  plural(n, {
    one: 'The workbook has 1 sheet.',
    other: 'The workbook has # sheets. They are imported one by one.',
  });
export const chooseName = 'Choose the Name column.';
export const skipErrors = (n: number) =>
  plural(n, {
    one: 'Skip 1 row with errors and import the rest',
    other: 'Skip # rows with errors and import the rest',
  });
export const anotherFile = 'Another file';
export const importing = 'Importing...';
export const importCount = (n: number) => plural(n, { one: 'Import 1 client', other: 'Import # clients' });
export const chooseFileTitle = 'Choose an Excel or CSV file, or drop it here';
export const chooseFileAbout =
  'One row for each client, with a heading above each column. You see a preview before anything is saved. At most 5 MB and 5,000 rows.';
export const fileOfClients = 'File of clients';
export const reading = 'Reading...';
export const chooseFile = 'Choose file';

export const importSummary = (fresh: number, changed: number, same: number) =>
  `${plural(fresh, { one: '1 new client', other: '# new clients' })}, ${count(changed)} to update, ${count(same)} unchanged`;
export const rowsWithErrors = (n: number) =>
  plural(n, { one: '1 row with errors', other: '# rows with errors' });

export const rowsLeftOut = (n: number) => plural(n, { one: '1 row left out', other: '# rows left out' });
export const choicesNotKept = 'What you have chosen for the columns and the rows is not kept.';

// ImportFindings.tsx
export const line = 'Line';
export const empty = 'empty';
/** The first of the lines that are no clients, and how many there are. */
export const notClients = (lines: readonly number[], total: number) => {
  const named = list(
    total > lines.length ? [...lines.map(String), `${count(total - lines.length)} more`] : lines.map(String),
  );
  return plural(total, {
    one: () => `Not a client: line ${named} (a title, a total, a heading or nothing to import).`,
    other: () => `Not clients: lines ${named} (a title, a total, a heading or nothing to import).`,
  });
};
export const skip = 'Skip';
export const columns = 'Columns';
export const columnsHold = 'What the columns hold';
export const columnNumber = (n: number) => `Column ${n}`;
export const fieldFor = (column: string) => `Field for ${column}`;
export const rowNew = 'New';
export const warning = 'Warning';
export const namesake =
  'There is a client of this name already, or a row above has it. Importing this row adds another one.';
export const renames = (name: string) =>
  `Only the e-mail address is that of ${name}. Tick this row if it is the same client under a new name. Add another client with the same address by hand.`;
export const importRow = (line: number, name: string) => `Import line ${line}, ${name}`;
export const changes = 'Changes';
export const rowLeftOut = 'Left out';
export const rowUpdate = 'Update';
export const rowUnchanged = 'Unchanged';
export const rowError = 'Error';
export const rows = 'Rows';
export const previewHeading = 'Preview';
export const rowsOfFile = 'Rows of the file';
export const result = 'Result';
export const andMoreRows = (n: number) =>
  plural(n, { one: 'And 1 more row without errors.', other: 'And # more rows without errors.' });
export const andMoreRowsWithErrors = (n: number, errors: number) =>
  plural(n, {
    one: 'And 1 more row with errors.',
    other: `And # more rows, ${plural(errors, { one: '1 of them with errors.', other: '# of them with errors.' })}`,
  });
export const showMoreRows = 'Show more';
export const noName = '(no name)';
export const errors = 'Errors';

// Rows.tsx
export const language = 'Language';
export const city = 'City';
export const pan = 'PAN';
export const actions = 'Actions';

// SelectionBar.tsx
export const selectAllShown = 'Select all shown by this filter';
export const selectAll = (n: number) => plural(n, { one: 'Select 1', other: 'Select all #' });
export const selection = 'Selection';
export const leaveSelection = 'Leave the selection';
export const selected = (n: number) => plural(n, { one: '1 selected', other: '# selected' });

// calls.ts
export const noUpdate = 'No client selected for update';
export const noDeletion = 'No client selected for deletion';
export const invalidId = 'Invalid client ID';

// copy.ts
export const copied = (text: string) => `${text} copied`;
export const copyBlocked = 'The browser did not allow copying.';

// form.ts
export const gstin = 'GSTIN';
export const tan = 'TAN';
export const cin = 'CIN or LLPIN';
export const birthOrIncorporation = 'Date of birth or incorporation';
export const address = 'Address';
export const group = 'Group';
export const notes = 'Notes';

// removeClient.ts
export const linkedItems = (files: number, folders: number) =>
  list([
    ...(files > 0 ? [plural(files, { one: '1 file', other: '# files' })] : []),
    ...(folders > 0 ? [plural(folders, { one: '1 folder', other: '# folders' })] : []),
  ]);
export const someLinked = (total: number, items: string) =>
  plural(total, {
    one: () =>
      `${items} is linked to this client. It is not deleted: it stays where it is, without a client.`,
    other: () =>
      `${items} are linked to this client. They are not deleted: they stay where they are, without a client.`,
  });
export const nothingLinked = 'No files are linked to this client.';
export const requestsEnd = (total: number, open: number) =>
  plural(total, {
    one:
      open === 1
        ? '1 open request for documents is deleted, and its link stops working.'
        : '1 finished request for documents is deleted.',
    other: (all) =>
      plural(open, {
        one: `${all} requests for documents are deleted. # of them is still open, and its link stops working.`,
        other:
          open === 0
            ? `${all} finished requests for documents are deleted.`
            : `${all} requests for documents are deleted. # of them are still open, and their links stop working.`,
      }),
  });
export const answersKept = 'What the client answered can then be read in History only.';
export const linksEnd = (dropLink: boolean, page: boolean) =>
  dropLink && page
    ? 'The drop link and the client’s page stop working.'
    : dropLink
      ? 'The drop link stops working.'
      : 'The client’s page stops working.';
export const cannotUndo = 'This action cannot be undone.';
export const requestsEnded = (total: number) =>
  plural(total, { one: '1 request was deleted.', other: '# requests were deleted.' });
export const unlinked = (items: string) => `Unlinked: ${items}.`;
export const deleteQuestion = (called: string) => `Delete “${called}”?`;
export const deleteNamed = (name: string) => `Delete “${name}”`;
export const deleted = (called: string) => `“${called}” deleted`;

// useClients.ts
export const loadFailed = 'Failed to load clients';

// ClientPage.tsx
export const upload = 'Upload';
export const filesFor = (name: string) => `Files for ${name}`;
export const newFolder = 'New Folder';
export const moreActions = 'More actions';
export const allClients = 'All clients';

// ShareButton.tsx
export const nothingToShare = 'This client has no folder yet. Create one first, then share it.';

// Details.tsx
export const details = 'Details';
export const onlyName = 'Only the name has been entered so far.';
export const copyField = (field: string) => `Copy ${field}`;

// Figures.tsx
export const storageUsed = 'Storage used';
export const lastActivity = 'Last activity';
export const noneSoFar = 'None yet';
export const newestFiles = 'Newest files';
export const allFiles = 'All files';
export const noFilesLinked = 'No files are linked to this client yet. Upload some, or link a folder to it.';
export const foldersWithoutFiles = (n: number) =>
  plural(n, {
    one: '1 folder is linked to this client; there are no files in it yet.',
    other: '# folders are linked to this client; there are no files in them yet.',
  });
export const openedBy = (name: string) => `Opened or changed by ${name}`;
export const byYear = 'By financial year';
export const year = 'Year';
export const size = 'Size';
export const financialYear = (year: string) => `FY ${year}`;
export const yearNote =
  'By the year each document is for, else the one its folder names; where neither is known, by the file’s date.';

// FolderDialog.tsx
export const folderFailed = 'Failed to create folder. Please try again.';
export const folderNameRequired = 'Please enter a folder name';
export const untitledFolder = 'Untitled folder';
export const folderAbout = (name: string) => `It is created in My Drive and linked to ${name}.`;
export const create = 'Create';

// The page of a client that is not there
export const clientNotFound = 'Client not found';
export const notHere = 'This client is not here';
export const notHereAbout = 'It was deleted, is not assigned to you, or the address is wrong.';
export const goToClients = 'Go to Clients';

// duplicateIdentifiers.ts
export const hasPan = (name: string) => `${name} has this PAN already`;
export const hasGstin = (name: string) => `${name} has this GSTIN already`;
export const saveAnyway = (button: string) => `Press ${button} again to save anyway.`;
