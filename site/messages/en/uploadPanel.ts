import { plural } from './language.ts';

// FailuresRow.tsx
export const inFolders = (n: number) => plural(n, { one: 'In 1 folder', other: 'In # folders' });
export const retryUploads = (n: number) => plural(n, { one: 'Retry 1 upload', other: 'Retry # uploads' });
export const removeHeading = (heading: string) => `Remove from the list: ${heading}`;
export const hideFiles = 'Hide the files';
export const showFiles = 'Show the files';

// InterruptedRow.tsx
export const interrupted = (n: number) =>
  plural(n, { one: '1 upload was interrupted', other: '# uploads were interrupted' });
export const notInterrupted = (name: string) => `“${name}” was not interrupted`;
export const severalNotInterrupted = (n: number) =>
  plural(n, { one: '1 file was not interrupted', other: '# files were not interrupted' });
export const chooseSame = 'Choose the same files again, unchanged. Upload others in a folder.';
export const dismissInterrupted = 'Dismiss interrupted uploads';
export const chooseAgain = 'Choose the files again to continue.';
export const chooseFiles = 'Choose files';
export const interruptedFiles = 'Files that were interrupted';

// RefusedDialog.tsx
export const cannotUpload = (n: number) =>
  plural(n, { one: '1 file cannot be uploaded', other: '# files cannot be uploaded' });
export const cannotUploadFiles = 'Files that cannot be uploaded';
export const uploadOthers = (n: number) =>
  plural(n, { one: 'Upload the other file', other: 'Upload the other # files' });

// UploadPanel.tsx
export const cancelQuestion = 'Cancel the uploads?';
export const cancelAbout = 'What is not completed will not be saved.';
export const cancelUploads = 'Cancel uploads';
export const keepUploading = 'Keep uploading';
export const uploads = 'Uploads';
export const retryAll = 'Retry all';
export const collapse = 'Collapse';
export const expand = 'Expand';
export const allUploads = 'All uploads';
export const files = 'Files';
export const milestone = (n: number, percent: number) =>
  plural(n, { one: `Uploading 1 file, ${percent} percent`, other: `Uploading # files, ${percent} percent` });

// UploadRow.tsx
export const filesDone = (done: number, n: number) =>
  plural(n, { one: `${done} of 1 file`, other: `${done} of # files` });
export const emptyFolder = 'Empty folder';
export const preparing = 'Preparing...';
export const newVersionOf = (name: string) => `New version of “${name}”`;
export const sameAsNow = (name: string) => `“${name}” has this content already`;
export const waiting = (size: string) => `Waiting · ${size}`;
export const finishing = 'Finishing...';
export const bytesDone = (loaded: string, size: string) => `${loaded} of ${size}`;
export const timeLeft = (time: string) => `${time} left`;
export const retryNamed = (name: string) => `Retry ${name}`;
export const removeFromList = (name: string) => `Remove ${name} from the list`;
export const cancelNamed = (name: string) => `Cancel ${name}`;
export const alreadyIn = (place: string, name: string) => `Already in ${place}: ${name}`;
