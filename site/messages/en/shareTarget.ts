import { plural } from './language.ts';

/** Files that another app of the phone shares with this one. */

const files = (count: number) => `${count} ${plural(count, { one: 'file', other: 'files' })}`;

export const title = 'Shared from this phone';
export const waiting = (count: number, size: string) =>
  `${files(count)} ${plural(count, { one: 'waits', other: 'wait' })} to be uploaded · ${size}`;
export const waitHere = (count: number) =>
  `${files(count)} shared from this phone ${plural(count, { one: 'waits', other: 'wait' })} to be uploaded`;
export const choosePlace = 'Choose where';
export const none = 'No files are waiting';
export const noneAbout =
  'In WhatsApp, Gallery or any other app, choose Share and then this app. To install it first, open the menu of your browser and choose “Add to Home screen”.';
export const client = 'Client';
export const clientHint = 'Leave it empty to link the files to a client later.';
export const noClient = 'No Client';
export const folder = 'Folder';
export const change = 'Change';
export const chooseFolder = 'Choose a folder';
export const folderChosen = (name: string) => `Choose “${name}”`;
export const sendAll = (count: number) => `Upload ${files(count)}`;
export const sending = 'Uploading...';
export const arrived = (percent: number) => `${percent}% uploaded`;
export const empty = 'Empty: the other app handed over nothing.';
export const remove = (name: string) => `Remove ${name}`;
export const done = (count: number) => `${files(count)} uploaded`;
export const doneTo = (count: number, place: string) => `${files(count)} uploaded to ${place}`;
export const doneFor = (count: number, client_: string, place: string) =>
  `${files(count)} uploaded for ${client_}, to ${place}`;
export const open = 'Open the folder';
export const openClient = 'Open the client';
export const sentLater =
  'The files could not be sent now. They stay on this phone and are sent by themselves when there is a connection and this app is open.';
export const someRefused = 'Some files were not uploaded. The reason is under each; they stay on this phone.';
export const unreadable =
  'This browser does not let the app keep files. Leave private browsing, or free some space, and share them again.';
export const filesLost =
  'The files did not come through: this phone was still setting the app up. It is ready now; please share them again.';
export const uploadNotAllowed =
  'You may look at documents, but not upload any. Ask the admin of your firm if you need to. The files stay on this phone until you remove them.';
export const failed = 'This file could not be uploaded.';
export const otherUsersFiles = (count: number) =>
  `${files(count)} shared on this phone ${plural(count, { one: 'waits', other: 'wait' })} for another user, who sees ${plural(count, { one: 'it', other: 'them' })} after signing in.`;
export const kept =
  'Until they are uploaded the files are kept in this browser, for you alone. Signing out removes them.';

// The page of the service worker while the server cannot be reached
export const keptTitle = 'Your files are kept';
export const keptOffline =
  'There is no connection now. The files stay on this phone; this page opens again by itself when it is connected, and asks where they go.';
export const fullTitle = 'The files could not be kept';
export const full =
  'This phone has no room left for them, and nothing was sent. Free some space, or share fewer files at once.';
export const tryAgain = 'Try again';
