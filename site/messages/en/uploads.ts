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
export const notInterrupted = (name: string) => `'${name}' was not interrupted`;
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
export const failed = 'Upload failed';
export const startFailed = 'Failed to start upload. Please try again.';
export const emptyFolder = 'Empty folder';
export const preparing = 'Preparing...';
export const preparingFiles = (n: number) =>
  plural(n, { one: 'Preparing 1 file...', other: 'Preparing # files...' });
export const newVersionOf = (name: string) => `New version of '${name}'`;
export const sameAsNow = (name: string) => `'${name}' has this content already`;
export const waiting = (size: string) => `Waiting · ${size}`;
export const finishing = 'Finishing...';
export const bytesDone = (loaded: string, size: string) => `${loaded} of ${size}`;
export const timeLeft = (time: string) => `${time} left`;
export const retryNamed = (name: string) => `Retry ${name}`;
export const removeFromList = (name: string) => `Remove ${name} from the list`;
export const cancelNamed = (name: string) => `Cancel ${name}`;

export const alreadyIn = (place: string, name: string) => `Already in ${place}: ${name}`;
export const notUploadedAgain = (n: number) =>
  plural(n, { one: '1 already there, not uploaded again', other: '# already there, not uploaded again' });
export const alsoElsewhere = (n: number) =>
  plural(n, { one: '1 is also stored elsewhere', other: '# are also stored elsewhere' });

// check.ts
export const selectFiles = 'Please select files to upload';
export const notSupported = 'type not supported';

// guardDrops.ts
export const nothingUploaded = 'Nothing was uploaded';
export const closeFirst = 'Close what is open over the page, then drop the files again.';
export const unreadable = 'The dropped files could not be read. Please try again.';
export const notAFolder =
  'This screen is not a folder. To put files into a folder, open the folder and drop them there.';

// pace.ts
export const kbPerSecond = (speed: string) => `${speed} KB/s`;
export const mbPerSecond = (speed: string) => `${speed} MB/s`;
export const minutes = (minutes: number) => `${minutes} min`;
export const hoursMinutes = (hours: number, minutes: number) => `${hours} h ${minutes} min`;

// queue.ts
export const alreadyThere = 'Already there';

// record.ts
export const cancelled = 'Upload cancelled';

// send.ts
export const networkError = 'Network error occurred';
export const invalidResponse = 'Invalid response format';
export const signInAgain = 'Please sign in again';

// summary.ts
export const filesRefused = (n: number) => plural(n, { one: '1 file refused', other: '# files refused' });
export const uploadsFailed = (n: number) => plural(n, { one: '1 upload failed', other: '# uploads failed' });
export const waitingForNetwork = 'Waiting for the network';
export const waitingForServer = 'Waiting for the server';
export const waitingForSignIn = 'Uploads are waiting for you to sign in';

// uploads.ts
export const mayNotUpload =
  'You may look at documents, but not upload. Ask an admin of your firm for the permission.';
export const nothingToUpload = (note: string) => `Nothing to upload: ${note}`;
export const folderFailed = 'Failed to create folder. Please try again.';

/** The questions before uploads to My Drive. */
export const uploadFiles = (n: number) => plural(n, { one: 'Upload 1 file', other: 'Upload # files' });
export const uploadFilesQuestion = (n: number) =>
  plural(n, { one: 'Upload 1 file to My Drive?', other: 'Upload # files to My Drive?' });
export const uploadFoldersQuestion = (n: number) =>
  plural(n, { one: 'Upload 1 folder to My Drive?', other: 'Upload # folders to My Drive?' });
export const uploadFolders = (n: number) => plural(n, { one: 'Upload 1 folder', other: 'Upload # folders' });
export const seconds = (seconds: number) => `${seconds} s`;
export const hours = (hours: number) => `${hours} h`;
export const failedFor = (what: string, reason: string) => `${what}: ${reason}`;
export const uploading = (at: number, total: number) => `Uploading ${at} of ${total}`;
export const uploadingWithTime = (at: number, total: number, time: string) =>
  `Uploading ${at} of ${total} · ${time} left`;
export const complete = (n: number) => plural(n, { one: '1 upload complete', other: '# uploads complete' });
export const completeButRefused = (n: number, refused: number) =>
  plural(n, {
    one: `1 upload complete · ${refused} refused`,
    other: `# uploads complete · ${refused} refused`,
  });
/** System files, of which the first few are named. */
export const skippedFiles = (n: number, names: string) =>
  plural(n, {
    one: (count) => `${count} system file skipped (${names})`,
    other: (count) => `${count} system files skipped (${names})`,
  });
