import { plural } from './language.ts';

// Drive.tsx
export const resultsFor = (text: string) => `Results for “${text}”`;
export const dashboard = 'Dashboard';
export const dropToUpload = 'Drop files to upload';
export const toFolder = (name: string) => `to ${name}`;

// DriveEmptyState.tsx
export const noFolder = 'This folder is not here';
export const goToDrive = 'Go to My Drive';
export const noFolderAbout = 'It was deleted, you have no access to it any more, or the address is wrong.';
export const noFiles = 'No files found';
export const leaveSearch = 'Leave the search';
export const twoLetters = 'Search for at least two letters.';
export const noResults = 'Try fewer letters, another word, or fewer filters.';
export const thisClient = 'this client';
export const noFilesFor = (name: string) => `No files for ${name}`;
export const showAll = 'Show all files';
export const linkedHint = 'What you upload from here is linked to this client.';
export const beginByDrop =
  'Drop files or whole folders anywhere on this page. If you add your clients first, Organise recognises their documents and suggests the right folder for each.';
export const beginByUpload =
  'Upload files or take a photo. If you add your clients first, Organise recognises their documents and suggests the right folder for each.';
export const noClientAssigned = 'No client is assigned to you yet';
export const noClientAssignedAbout =
  'You see the files of the clients that are assigned to you. Ask an admin of your firm to assign them.';
export const addClients = 'Add clients';
export const empty = 'Folder is empty';
export const emptyDrop = 'Drop files here, or move here what you cut, with Ctrl+V.';
export const lookInTrash = 'Look in Trash';
export const emptyUpload = 'Upload files, take a photo, or begin with a folder.';

// FoundClients.tsx
export const clients = 'Clients';
export const allClients = 'All clients like this';
export const filesOf = (name: string) => `Files of ${name}`;
export const files = 'Files';

// NewMenu.tsx
export const create = 'New';
export const newFolder = 'New Folder';
export const fileUpload = 'File Upload';
export const folderUpload = 'Folder Upload';
export const takePhoto = 'Take a Photo';
export const pagesToPdf = 'Pages to PDF';
export const uploadFiles = 'Upload files';
export const uploadFolder = 'Upload a folder';
export const newFolderLabel = 'New folder';

// Overview.tsx
export const overview = 'Overview';
export const newestFiles = 'Newest files';
export const storage = 'Storage';
export const ofLimit = (limit: string) => `of ${limit}`;
export const storageUsed = 'Storage used';

// Toolbar.tsx
export const oneClient = 'One client';
export const openRecord = 'Open the page of this client';
export const downloadAll = 'Download all files of this client';
export const showAllClients = 'Show the files of all clients';
export const select = 'Select';
export const sortBy = 'Sort by';
export const view = 'View';
export const list = 'List';
export const grid = 'Grid';

// columns.ts
export const owner = 'Owner';
export const location = 'Location';
export const client = 'Client';
export const inFolder = (path: string) => `in ${path}`;

// useDrop.ts
export const dropUnreadable = 'The dropped files could not be read. Please try again.';

// useListing.ts
export const loadFailed = 'Failed to fetch documents';
export const folderCount = (n: number) => plural(n, { one: '1 folder', other: '# folders' });
export const fileCount = (n: number) => plural(n, { one: '1 file', other: '# files' });
export const folderNotFound = 'Folder not found';
export const itemCount = (n: number) => plural(n, { one: '1 item', other: '# items' });
