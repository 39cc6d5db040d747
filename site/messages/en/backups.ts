import { plural } from './language.ts';

// BackupNotice.astro: the alert on every screen of a server administrator
export const alarms = {
  late: 'The backup of this server is late.',
  damaged: 'Something is wrong with the backups of this server.',
  unchecked: 'The backups of this server can no longer be checked.',
};
export const sheetMissing =
  'Nobody has saved the recovery sheet yet. Without it, no backup of this server can be opened.';
export const sheetNotSaved = 'Recovery sheet not saved';
export const seeBackups = 'See backups';
export const saveSheetNow = 'Save it now';

// Backups.tsx
export const backups = 'Backups';
export const none = 'No automatic backups';
export const noneAbout =
  'Whoever runs this server sets BACKUP_DIR: a folder on another disk, a mounted share, or an address such as s3://bucket/folder. A backup is then made every night.';
export const plan = 'Each night';
export const place = 'Place';
export const time = 'Time';
export const atTime = (time: string) => `${time} (India time)`;
export const kept = 'Kept';
export const keptAbout = (rule: string) => `the newest of the last ${rule}`;
export const next = 'Next';
export const last = 'Last';
export const never = 'Not made yet';
export const sameDisk =
  'This place is on the same disk as the data. When the disk fails, both are lost: choose another disk, a share or S3.';
export const runNow = 'Back up now';
export const started = 'Backup started';
export const failed = 'That did not work. Please try again.';

export const sheet = 'Recovery sheet';
export const sheetAbout =
  'The sheet has 24 words and a QR code. With it and a backup, everything on this server can be brought back on a new machine; without it, nothing can. Whoever has both can read every document: print it, lock it away, and delete the file.';
export const sheetSaved = (when: string, by: string | null) =>
  by ? `Saved by ${by} on ${when}` : `Saved on ${when}`;
export const sheetNever = 'Nobody has saved it yet';
export const saveSheet = 'Save recovery sheet';
export const saveSheetAgain = 'Save again';
export const saveSheetAbout =
  'It opens everything on this server to whoever also has a backup. The history records that you saved it.';
export const save = 'Save as PDF';
export const saved = 'The recovery sheet was saved. Print it, lock it away, and delete the file.';

export const made = 'Backups made';
export const noneMade = 'None yet. The first one is made tonight, or with "Back up now".';
export const proofs = 'What was proven';
export const proofsAbout =
  'Each night a tenth of all bytes is read back and compared, so that in ten nights all of it is. Once a month a restore is tried.';
export const noProofs = 'Nothing yet. It begins after the first backup.';
const readBack = 'Read back and compared';
const trial = 'Restore tried';
export const kinds = { backup: 'Backup', proof: readBack, trial };
export const states = {
  running: 'Running',
  done: 'Good',
  faulty: 'Faults found',
  failed: 'Failed',
  interrupted: 'Interrupted',
};
export const newBytes = (size: string) => `${size} new`;
export const files = (n: number) => plural(n, { one: '1 file', other: '# files' });
export const moreFaults = (n: number) => plural(n, { one: 'and 1 more', other: 'and # more' });

export const restore = 'How to restore';
export const restoreAbout =
  'A restore always makes a new data folder, and overwrites nothing. It is done on the machine of the server, or on a new one, by whoever runs it. Where the server is a service, put sudo before each command:';
export const restoreSteps = [
  'Install Almirah, and make the disk, share or bucket with the backups available on that machine.',
  'See what there is:',
  'Bring one back, the newest or that of a day. It asks for the words of the recovery sheet, and verifies everything in the end:',
  'Start the server on the new folder (a service: set DATA_DIR in /etc/almirah.env, then run “npm run admin -- install”), and let its backups go on in the same place:',
];
export const commands = (place: string) => [
  '',
  `npm run admin -- backups list --from ${place}`,
  `npm run admin -- backups restore /srv/almirah/restored --from ${place} --at 2026-11-22`,
  `DATA_DIR=/srv/almirah/restored npm run admin -- backups adopt --from ${place}`,
];
export const oneFile =
  'To get back a single file that was deleted or replaced, look in Trash or at its versions first: no restore is needed for that.';

// Settings.
export const settingsAbout = 'Backups of the whole server, their checks and the recovery sheet.';
export const open = 'Open backups';
