import { plural } from './language.ts';

// System.tsx, the screen of server administrators
export const system = 'System';
export const about = 'How this installation is doing. Only the people who look after it see this screen.';
export const allWell = 'Everything works as it should.';
export const noBackupsYet = 'This server makes no backups. If its disk breaks, every document on it is lost.';
export const noBackupNow = 'Backups are set up, but none can be made now: see below.';
export const mailGivenUp = 'E-mails were refused and given up: see below.';
export const refresh = 'Refresh';
export const failed = 'That did not work. Please try again.';

export const disk = 'Disk';
export const diskFree = (free: string, size: string) => `${free} free of ${size}`;
export const diskUsed = (percent: number) => `${percent} % used`;
export const diskUnknown = 'The disk usage could not be determined.';
export const diskSoon = 'In 90 days';
export const diskSoonUnknown = 'Known once the server has run for three days';
export const diskSoonFree = (free: string) => `about ${free} free`;
export const diskFullOn = (day: string) => `full around ${day}`;

export const jobs = 'Background jobs';
export const running = 'Running now';
export const waiting = 'Waiting';
export const failedJobs = 'Failed in the last 7 days';
export const noFailedJobs = 'None has failed.';
export const recurring = (n: number) => plural(n, { one: '# recurring job', other: '# recurring jobs' });
/** By the id of the job; see `server/recurring.ts` for the recurring ones. */
const jobNames: Record<string, string> = {
  'advance-deletion-clock': 'Count the days until Trash is emptied',
  'cancel-uploads-of-closed-links': 'Cancel uploads through links that have ended',
  'contents of linked folders': 'Set the client of contents of folders',
  'cut-ended-downloads': 'End downloads by links that have ended',
  'delete-abandoned-uploads': 'Delete abandoned uploads',
  'delete-download-counts': 'Delete the download counts of past days',
  'delete-expired-sessions': 'Delete expired sign-ins',
  'delete-expired-trash': 'Delete from Trash what has expired',
  'delete-expired-versions': 'Delete expired earlier versions',
  'delete-file-contents': 'Delete the contents of deleted files',
  'delete-link-sessions': 'Delete expired visits of shared links',
  'delete-old-jobs': 'Delete records of old jobs and e-mails',
  'delete-orphan-blobs': 'Delete contents that belong to no file',
  'delete-portal-sessions': "Delete expired visits of clients' pages",
  destruction: 'Destroy documents whose retention has ended',
  extraction: 'Extract a ZIP',
  'file-arrivals': 'Put received files into the drive',
  'forget-deleted-names': 'Overwrite the names of deleted files',
  'gateway event': 'Record a message of the payment gateway',
  invoice: 'Send an invoice',
  letter: 'Send an e-mail',
  'linking of contents': 'Set the client of the contents of a folder',
  'nightly-backup': 'Back up',
  'organise-inboxes': 'Suggest where documents in inboxes belong',
  'poll-payments': 'Ask the payment gateway about open payments',
  'read-documents': 'Read the text of documents',
  'read-scanned-pages': 'Read scanned pages',
  'record-disk-usage': 'Record the disk usage',
  'scan-waiting-files': 'Scan files that wait for the virus scanner',
  'send-alarms': 'Send alerts of this installation',
  'send-arrival-digests': 'Send e-mails about received files',
  'send-request-reminders': 'Send reminders of requests',
  'trial-restore': 'Try a restore',
  'unlink-deleted-clients': 'Unlink the files of deleted clients',
  'verify-backups': 'Verify the backups',
};
export const jobName = (id: string) => jobNames[id] ?? id;
export const failing = 'Fails';
export const tries = (n: number) => plural(n, { one: 'tried once', other: 'tried # times' });
export const ofServer = 'the server';
export const last = (message: string, when: string) => `Last time: ${message} · ${when}`;
export const never = 'not yet';

export const mail = 'E-mails that did not go out';
export const noFailedMail = 'All e-mails have gone out.';
export const sendAgain = 'Send again';
export const sendAgainTo = (to: string) => `Send again to ${to}`;
export const willResend = 'The e-mail will go out within a minute';
export const stillRetrying = 'Still being tried';
export const givenUp = 'Given up';
export const cannotResend =
  'It cannot be sent again: of e-mails with a link or code to sign in nothing is kept. Whoever needs it asks for a new one.';
export const unknownRecipient = 'Recipient not kept';

export const certificate = 'Certificate';
export const noCertificate =
  'This server uses plain http, directly or behind a proxy that has the certificate.';
export const kinds = {
  acme: 'From a public authority, renewed by this server',
  local: 'From the office’s own authority, renewed by this server',
  files: 'From files that you look after',
};
export const validUntil = 'Valid until';
export const certificateNames = 'For';
export const fingerprint = 'Fingerprint of the office’s authority (SHA-256)';
export const trustLink = 'How computers learn to trust it';

export const backups = 'Backups';
export const openBackups = 'Open backups';
export const noBackups = 'No nightly backups are set up. Set BACKUP_DIR; the README says how.';
export const lastBackup = 'Last backup';
export const noBackupYet = 'There is none yet';

export const masterKey = 'Master key';
export const keyUnknown = 'The location of the key could not be determined.';
export const keyNeedsMoving = 'Everything works, but the master key should be kept elsewhere: see below.';

export const program = 'Program';
export const version = 'Version';
export const node = 'Node.js';
export const readers = 'Files are read';
export const confinements = {
  container: 'cut off from the network, the data and the master key',
  network: 'cut off from the network only: install bubblewrap',
  permissions: 'not cut off from the network: install bubblewrap',
};
export const since = 'Running since';

// Settings.tsx
export const systemAbout = 'You look after this installation: see its disk, jobs, e-mails and backups.';
export const openSystem = 'Open System';
export const lastUpdate = 'Updated';
export const updateDone = (from: string, when: string) => `from ${from}, ${when}`;
export const updateRolledBack = (to: string, when: string, why: string) =>
  `The update to ${to} on ${when} failed, and this version was kept: ${why}`;
export const updateInterrupted = (to: string, when: string) =>
  `The update to ${to} of ${when} was interrupted. Run “npm run admin -- update” to finish it.`;
