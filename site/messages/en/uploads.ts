import { plural } from './language.ts';

// Several places; the texts of the panel alone are in `uploadPanel.ts`, which the first view of a screen does not load
export const failed = 'Upload failed';
export const startFailed = 'Failed to start upload. Please try again.';
export const preparingFiles = (n: number) =>
  plural(n, { one: 'Preparing 1 file...', other: 'Preparing # files...' });
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
