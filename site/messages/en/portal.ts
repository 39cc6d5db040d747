import { plural } from './language.ts';

// pages/c: the page of a client, for the client
export const pageTitle = (firm: string) => `Your page at ${firm}`;
export const proveAbout = (firm: string) =>
  `This page is for a client of ${firm}. Enter your e-mail address, and we will send a code to it.`;
export const codeAbout =
  'If this page is for your address, a six-digit code is on its way. It is valid for 10 minutes.';
export const openAs = (email: string) => `Opened with ${email}`;
export const closeOnDevice = 'Close on this device';
export const pleaseSend = 'Please send';
export const nothingAsked = 'Nothing is asked of you at the moment.';
export const due = (day: string) => `Please send by ${day}`;
export const overdue = (day: string) => `Was due ${day}`;
export const more = (n: number) => plural(n, { one: 'and 1 more', other: 'and # more' });
export const arriving = (document: string) => `${document}: received, being prepared for the office`;
export const send = 'Send documents';
export const seeWhatYouSent = 'See what you sent';
export const allSent = 'Nothing more to send. The office is looking at it.';
export const shared = 'Shared with you';
export const nothingShared = 'Nothing is shared with you at the moment.';
export const until = (day: string) => `until ${day}`;
export const from = (name: string) => `from ${name}`;
export const viewOnly = 'view only';
export const withPassword = 'with a password';
export const sendOther = 'Send anything else';
export const sendOtherAbout = (firm: string) =>
  `Photos or files that ${firm} should have, without being asked.`;
export const sent = 'Sent by you';
export const receipt = (number: string) => `Receipt no. ${number}`;
export const filesOn = (n: number, day: string) =>
  n === 0 ? `Answered on ${day}` : plural(n, { one: `1 file on ${day}`, other: `# files on ${day}` });
export const notices: Record<string, string> = {
  again: 'Please try again. If this comes back, allow cookies for this page in your browser.',
  code: 'This code is wrong or has expired. Check it, or request a new one.',
  codes: 'Too many wrong codes. Request a new one.',
  wait: 'There were too many attempts. Please try again in 15 minutes, and if that is too soon, tomorrow.',
  gone: 'This is not shared with you any more.',
  left: 'The page is closed on this device. A new code opens it again.',
  fault:
    'Something went wrong on our side. Please try again in a few minutes, and tell the office if it happens again.',
};

// The text that the sender passes on with the link, for example by WhatsApp
export const message = (firm: string, url: string) =>
  `Your page at ${firm}, with what we need from you and what we have shared with you. It opens with a code that is sent to your e-mail:\n${url}`;

// PortalDialog.tsx, from a client's page and from Shared.
export const clientPage = 'Client’s page...';
export const dialogTitle = (client: string) => `Page of ${client}`;
export const dialogAbout =
  'A permanent link to a page where this client finds what you need and what you have shared. It opens with a code that is sent by e-mail. It shows open requests, receipts, the drop link, links that name the visitor’s e-mail address, and links for anyone that you have put on the page, and nothing else.';
export const address = 'Link';
export const copy = 'Copy link';
export const copied = 'Link copied';
export const copyBlocked = 'The browser does not allow copying here. Select the link and copy it.';
export const clientEmail = (email: string) => `${email}, the client’s own e-mail address, opens it.`;
export const noClientEmail = 'This client has no e-mail address.';
export const otherEmails = 'Other e-mail addresses that open it';
export const otherEmailsHint = 'For example the client’s accountant. One on each line.';
export const create = 'Create page';
export const save = 'Save e-mail addresses';
export const saved = 'E-mail addresses saved';
export const sendTitle = 'Send the link';
export const sendByEmail = (n: number) =>
  plural(n, { one: 'E-mail it to 1 address', other: 'E-mail it to # addresses' });
export const noEmail =
  'E-mail is not set up on this server, so nobody receives the code that opens this page. Ask whoever looks after the server to set it up.';
export const sentTo = (n: number) => plural(n, { one: 'Sent to 1 address', other: 'Sent to # addresses' });
export const language = 'Language of e-mail and message';
export const whatsApp = 'Open WhatsApp';
export const renew = 'New link';
export const renewQuestion = 'Give this page a new link?';
export const renewAbout =
  'The current link stops working, and whoever has the page open must open it again with the new link.';
export const end = 'End page';
export const endQuestion = 'End this page?';
export const endAbout =
  'Its link stops working. Requests, shared links and the drop link keep working at their own addresses.';
export const ended = 'Page ended';
export const failed = 'That did not work. Please try again.';
