import { count, plural } from './language.ts';

// pages/s: a shared link, for people outside the firm
export const sharedBy = (firm: string) => `Shared by ${firm}`;
export const from = (name: string, firm: string) => `${name} of ${firm} has shared this with you.`;
export const until = (day: string) => `Available until ${day}.`;
export const viewOnly =
  'You can view it, but not download it. Each page is stamped with who opened it and when.';
export const downloadsLeft = (n: number) =>
  plural(n, {
    one: '1 more download is possible, of one file or of everything at once.',
    other: '# more downloads are possible, each of one file or of everything at once.',
  });
export const laterFilesIncluded = 'What is added to a shared folder later also appears here.';
export const files = 'Shared files';
export const path = 'Folders';
export const all = 'All';
export const downloadAll = 'Download all';
export const downloadFolder = 'Download this folder';
export const downloadChosen = 'Download selected';
export const download = 'Download';
export const downloadOne = (name: string) => `Download ${name}`;
export const choose = (name: string) => `Select ${name}`;
export const folder = 'Folder';
export const empty = 'There is nothing in this folder yet.';
export const more = 'Show more';
export const asList = 'List';
export const asGrid = 'Grid';
export const page = (n: number, of: number) => `Page ${n} of ${of}`;
/** Which pages of a long document are shown. */
export const pageRange = (from: number, to: number, of: number) =>
  `Pages ${count(from)}–${count(to)} of ${count(of)}`;
export const previousPages = 'Previous pages';
export const pages = (n: number) => plural(n, { one: '1 page', other: '# pages' });
export const back = 'Back to the list';
export const notShown = {
  kind: {
    withDownload: 'This kind of file cannot be shown here. Download it to open it.',
    withoutDownload: 'This kind of file cannot be shown here.',
  },
  unreadable: {
    withDownload:
      'This file cannot be shown: it is damaged, very large, or opens only with a password. Download it to open it.',
    withoutDownload: 'This file cannot be shown: it is damaged, very large, or opens only with a password.',
  },
  locked: {
    withDownload:
      'This PDF opens only with its password, so it is not shown here. Download it, and open it with the password.',
    withoutDownload: 'This PDF opens only with its password, so it is not shown here.',
  },
  withheld: {
    withDownload:
      'This link covers Aadhaar numbers. They cannot be covered in this file, so it is withheld. Ask the sender for it.',
    withoutDownload:
      'This link covers Aadhaar numbers. They cannot be covered in this file, so it is withheld. Ask the sender for it.',
  },
  waiting: {
    withDownload: 'Aadhaar numbers in this file are being covered. Please try again in a few minutes.',
    withoutDownload: 'Aadhaar numbers in this file are being covered. Please try again in a few minutes.',
  },
  busy: {
    withDownload: 'The server is busy. Please try again in a minute.',
    withoutDownload: 'The server is busy. Please try again in a minute.',
  },
};
export const masked = 'Aadhaar numbers are covered here, all but the last four digits.';
export const withheld = 'Withheld: Aadhaar numbers cannot be covered in it';
export const withheldLocked = 'Withheld: it opens only with a password';
export const preparing = 'Not ready yet: Aadhaar numbers are being covered';
export const tryAgain = 'Try again';
export const opening = 'Opening...';

export const insideZip = 'In this ZIP';
export const attached = 'Attached to this e-mail';
export const insideMore = (n: number) => plural(n, { one: 'There is 1 more.', other: 'There are # more.' });
export const insideLocked = 'opens with a password';
export const insideViewOnly =
  'You can see the names of the files in it. This link is for viewing only, so they cannot be opened here.';
export const insideUp = 'Up';
export const insideBack = (name: string) => `Back to ${name}`;

// Forms that ask for an e-mail address, a code or a password
export const proveTitle = 'Confirm your e-mail address';
export const proveAbout = (firm: string) =>
  `${firm} has shared documents with certain people. Enter your e-mail address, and we will send a code to it.`;
export const proveAboutNoEmail = (firm: string) =>
  `This is for certain people only, who confirm their address with a code. The server of ${firm} sends no e-mail at the moment, so no code can reach you: please tell them.`;
export const email = 'E-mail address';
export const sendCode = 'Send code';
export const next = 'Next';
export const codeTitle = 'Enter the code';
export const codeAbout =
  'If this was shared with your address, a six-digit code is on its way. It is valid for 10 minutes.';
export const codeAboutNoEmail = (firm: string) =>
  `No code was sent, since the server of ${firm} sends no e-mail at the moment. Please tell them, and get a new code when it does.`;
export const code = 'Code';
export const open = 'Open';
export const otherAddress = 'Use another address, or get a new code';
export const passwordTitle = 'Enter the password';
export const passwordAbout = (firm: string) =>
  `${firm} has protected this with a password. Whoever sent you the link will tell you.`;
export const password = 'Password';
export const notices: Record<string, string> = {
  again: 'Please try again. If this comes back, allow cookies for this page in your browser.',
  code: 'This code is wrong or has expired. Check it, or request a new one.',
  codes: 'Too many wrong codes. Request a new one.',
  password: 'This password is wrong. Capital and small letters matter.',
  wait: 'There were too many attempts. Please try again in 15 minutes, and if that is too soon, tomorrow.',
  none: 'Select at least one file first.',
  locked: 'This file opens with a password. Download the whole file, and open it on your computer.',
  withheld: 'Aadhaar numbers cannot be covered in this, so it is withheld. Ask whoever sent the link for it.',
  preparing: 'Aadhaar numbers are still being covered in this. Please try again in a few minutes.',
  tomorrow:
    'Nothing more can be downloaded through this link today. Please try again tomorrow, or ask whoever sent it.',
  fault:
    'Something went wrong on our side. Please try again in a few minutes, and tell whoever sent the link if it happens again.',
};

// A page for people outside the firm that cannot be shown
export const pageFailed = 'This page cannot be shown at the moment';
export const pageFailedAbout =
  'Something went wrong on our side. Please try again in a few minutes. If it happens again, give the office this number.';
export const formFailedAbout =
  'Something went wrong on our side, and what you have just sent may not have arrived. Please try again in a few minutes: the page then shows what to do. If it happens again, give the office this number.';

// The page of a link that has ended or never existed
export const goneTitle = 'This link is not available';
export const goneAbout =
  'It may have ended, or the address may not be complete. Ask the person who sent it for a new one.';
// The page of a link that has ended, for a visitor who was inside before
export const usedUpTitle = 'All downloads are used up';
export const usedUpAbout =
  'As many downloads as this link allows have been made. One that has begun continues.';
export const endedTitle = 'This link has ended';
export const endedAbout = (day: string) => `It was available until ${day}.`;
export const askForNew = (name: string, firm: string) => `Ask ${name} of ${firm} for a new link.`;
export const keptInProduct = (firm: string, product: string) => `${firm} keeps its documents in ${product}.`;
export const language = 'Language';

// The text that the sender passes on with the link, for example by WhatsApp
export const message = (firm: string, what: string, until: string, url: string) =>
  `${firm} has shared ${what} with you, until ${until}:\n${url}`;
export const items = (n: number) => plural(n, { one: '1 item', other: '# items' });
