import { count, plural } from './language.ts';

// DocumentFrame.tsx
export const contentOf = (name: string) => `Content of ${name}`;
export const picturesBlocked = (n: number) =>
  plural(n, {
    one: '1 picture from the internet is not loaded.',
    other: '# pictures from the internet are not loaded.',
  });

// ImageViewer.tsx
export const imageFailed = 'Failed to load image';
export const image = 'Image';
export const rotateLeft = 'Rotate left';
export const rotateRight = 'Rotate right';

// Loading.tsx
export const loading = 'Loading';

// MailAttachments.tsx
export const attachments = 'Attachments';
export const saveAttachment = (name: string) => `Save ${name} to the folder`;
export const saveAttachments = 'Save all to folder';
export const saved = (n: number, name: string, folder: string) =>
  plural(n, {
    one: () => `“${name}” saved to ${folder}`,
    other: (n) => `${n} attachments saved to ${folder}`,
  });
export const savedBefore = (n: number, name: string) =>
  plural(n, { one: () => `“${name}” was saved before`, other: 'All # attachments were saved before' });
export const othersSavedBefore = (n: number) =>
  plural(n, { one: '1 other was saved before.', other: '# others were saved before.' });
const NAMED_MAX = 3;
export const savedAs = (renamed: readonly { attachment: string; name: string }[]) => {
  const named = renamed
    .slice(0, NAMED_MAX)
    .map(({ attachment, name }) => `“${attachment}” was saved as “${name}”.`)
    .join(' ');
  const more = renamed.length - NAMED_MAX;
  if (more <= 0) return named;
  return `${named} ${plural(more, { one: '1 more has another name.', other: '# more have other names.' })}`;
};
export const showSaved = 'Show';
export const notSaved = (n: number) =>
  plural(n, { one: '1 attachment was not saved', other: '# attachments were not saved' });
export const saveFailed = 'Failed to save attachments. Please try again.';

// MailViewer.tsx
export const noSubject = '(No subject)';
export const hideDetails = 'Hide details';
export const details = 'Details';
export const from = 'From';
export const to = 'To';
export const cc = 'Cc';
export const sent = 'Sent';

// OfficeViewer.tsx
export const failed = 'Failed to load preview. Please try again.';
export const protectedFile = 'This file is protected with a password';
export const protectedFileAbout = 'Download it and open it in the program it was created with.';

// PageField.tsx
export const pageField = (count: number) => `Page, of ${count}`;

// PdfDocument.tsx
export const pages = 'Pages';
export const pdf = 'PDF';
export const fitWidth = 'Fit width';
export const findInDocument = 'Find in the document';

// PdfFind.tsx
export const reading = 'Reading...';
export const notFound = 'Not found';
export const matchOf = (at: number, count: number) => `${at} of ${count}`;
export const previous = 'Previous';
export const next = 'Next';
export const closeSearch = 'Close the search';

// StampedPage.tsx
export const pageFailed = (n: number) => `Page ${n} could not be loaded`;

// PdfMenu.tsx
export const viewOptions = 'View options';

// PdfPage.tsx
export const pageNumber = (n: number) => `Page ${n}`;

// PdfPassword.tsx
export const protectedPdf = 'This PDF is password protected';
export const passwordKept =
  'It is stored encrypted, so that the document opens and its text can be searched.';
export const passwordHere = 'It stays in this browser.';
export const rememberFor = (client: string) => `Remember it for other documents of ${client}`;
export const withoutPassword = 'Download without password';
export const pdfPassword = 'Password of the document';
export const wrongPassword = 'The password is not correct. Please try again.';
export const open = 'Open';

// PdfViewer.tsx
export const pdfFailed = 'Failed to load PDF';
export const pdfDamaged = 'This PDF is damaged';
export const pdfDamagedAbout =
  'The file itself cannot be read, so trying again does not help. Upload a new copy of it, or ask for one.';

// Preview.tsx
export const notHere = 'This file is not here';
export const notHereAbout = 'It was deleted, you have no access to it any more, or the address is wrong.';
export const isIn = (name: string, place: string) => `“${name}” is in ${place} now.`;
export const showThere = 'Show it there';
export const notWithoutDownload = "This type can't be viewed without download permission. Ask your admin.";
export const notPreviewable = 'This file type cannot be previewed';
export const previewOf = (name: string) => `Preview of ${name}`;
export const previousFile = 'Previous file';
export const nextFile = 'Next file';

// PreviewHeader.tsx
export const originalDate = (date: string) => `Original date ${date}`;
export const placeOf = (at: number, count: number) => `${at} of ${count}`;
export const moreActions = 'More actions';
export const rename = 'Rename';

// ScanViewer.tsx
export const previousPage = 'Previous page';
export const nextPage = 'Next page';

// SheetGrid.tsx
export const row = 'Row';

// TableViewer.tsx
export const emptySheet = 'This sheet is empty.';
export const sheetLeftOut =
  'This sheet is not shown, since the sheets before it are so large. Download the file to see it.';
export const emptyFile = 'This file is empty.';
export const selectCell = 'Select a cell to see all of it.';
export const sheets = 'Sheets';

// TextViewer.tsx
export const firstPart = (shown: string, size: string) =>
  `This is the first ${shown} of ${size}. Download the file to read all of it.`;

// VideoBar.tsx
export const video = 'Video';
export const play = 'Play';
export const pause = 'Pause';
export const position = 'Position';
export const timeOf = (at: string, length: string) => `${at} of ${length}`;
export const soundOn = 'Sound on';
export const soundOff = 'Sound off';
export const speed = (speed: string) => `Speed ${speed}, change it`;
export const fullScreen = 'Full screen';

// VideoViewer.tsx
export const videoFailed = 'Failed to load video';

// ViewerBar.tsx
export const print = 'Print';
export const zoomOut = 'Zoom out';
export const resetZoom = (percent: number) => `${percent}%, reset the zoom`;
export const zoomIn = 'Zoom in';

// ArchiveEmptyState.tsx
export const noFilesFound = 'No files found';
export const nothingNamed = (search: string) => `No results for “${search}” in this ZIP.`;
export const emptyFolder = 'Folder is empty';
export const nothingToExtract = 'Nothing to extract';
export const emptyZip = 'This ZIP is empty';
export const noneAccepted = 'None of its files is of a type that can be kept here.';

// ArchiveViewer.tsx
export const downloadFailed = 'Failed to download file. Please try again.';
export const zipContents = 'Contents of the ZIP';
export const findInZip = 'Find in this ZIP';
export const resultsFor = (text: string) => `Results for “${text}”`;
export const chosen = (n: number, size: string) =>
  plural(n, { one: `1 selected · ${size}`, other: `# selected · ${size}` });
export const willBeSkipped = (n: number) =>
  plural(n, { one: '1 file will be skipped', other: '# files will be skipped' });
export const clear = 'Clear';
export const extractChosen = (n: number) => plural(n, { one: 'Extract 1 item', other: 'Extract # items' });
export const extractAll = 'Extract all';

// entries.ts
export const contents = 'Contents';

// layout.tsx
export const inFolder = (path: string) => `in ${path}`;
export const holdsProtected = 'Holds password protected files';
export const passwordProtected = 'Password protected';
export const downloadNamed = (name: string) => `Download ${name}`;

// useArchive.ts
export const openZipFailed = 'Failed to open the ZIP. Please try again.';

// printPdf.ts
export const printFailed = 'This PDF could not be printed. Download it, and print it from another program.';

/** Which part of a sheet is shown; null if all of it is. */
export const cutOff = (
  rows: [shown: number, total: number] | null,
  columns: [shown: number, total: number] | null,
) => {
  const first = ([shown, total]: [number, number]) => `first ${count(shown)} of ${count(total)}`;
  if (rows && columns)
    return `These are the ${first(rows)} rows and the ${first(columns)} columns. Download the file to see all.`;
  if (rows) return `These are the ${first(rows)} rows. Download the file to see all.`;
  if (columns) return `These are the ${first(columns)} columns. Download the file to see all.`;
  return null;
};
export const fileCount = (n: number) => plural(n, { one: '1 file', other: '# files' });
export const protectedNote = 'password protected';

// PreviewHeader.tsx: the recognised values
export const showFields = 'Values in this document';
