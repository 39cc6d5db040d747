import { plural } from './language.ts';

// Quarantine.tsx, the screen.
export const quarantine = 'Held back';
export const about = (n: number) =>
  plural(n, {
    one: 'Nobody can open this file until you release it.',
    other: 'Nobody can open these # files until you release them.',
  });
export const none = 'Nothing is held back';
export const noneAbout = {
  all: 'The virus scanner checks every upload before anybody can open it.',
  outside: 'The virus scanner checks what people outside send before anybody can open it.',
  off: 'Programs are held back whatever they are called. For viruses, whoever runs this server can set up a scanner (CLAMD_URL).',
};
export const files = 'Files held back';
export const states = {
  waiting: 'Waiting for the scanner',
  infected: 'Virus found',
  too_large: 'Too large to scan',
  program: 'A program',
};
export const sources = { outside: 'from outside', office: 'uploaded by your firm' };
export const virusFound = (name: string) => `Found: ${name}`;
export const detectedKind = (kind: string) => `It is ${kind}`;
export const notThere = 'An earlier version, in Trash, or not kept';
export const arriving = 'Sent by a link, not in the drive yet';
export const release = 'Release';
export const remove = 'Delete';
export const releaseOne = (name: string) => `Release “${name}”`;
export const removeOne = (name: string) => `Delete “${name}” forever`;
export const releaseAbout = 'Everybody who sees the file can open it from now on.';
export const programAbout =
  'It is a program, whatever its name says. Release it only if you know who made it.';
export const infectedAbout =
  'The scanner has found a virus in it. Release it only if you are sure that it is safe.';
export const removeAbout = 'The file does not go to Trash. This action cannot be undone.';
export const removeArrivingAbout =
  'The file is not added to the drive, and cannot be restored. Tell whoever sent it: it was shown to them as received.';
export const reason = 'Reason';
export const reasonHint = 'Kept in the history';
export const released = 'The file was released';
export const removed = 'The file was deleted';
export const failed = 'That did not work. Please try again.';

// Settings.
export const scanning = 'Virus scanning';
export const openQuarantine = 'See what is held back';
