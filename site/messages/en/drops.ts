import { count, plural } from './language.ts';

// pages/d: a client's drop link, for people outside the firm
export const pageTitle = (firm: string) => `Send documents to ${firm}`;
export const title = 'Send documents';
export const about = (firm: string) =>
  `Choose photos or files for ${firm}. Nobody can see them through this link, not even you.`;
export const sendingAbout = 'Files go immediately, photos when you press “Send”.';
export const limit = (mb: number) => `At most ${count(mb)} MB a file.`;
export const papersOnly = ' PDFs and photos only.';
export const files = 'Photos or files';
export const send = 'Send';
export const arrived = (n: number) =>
  n === 1
    ? 'Your file has arrived. You may close this page.'
    : `${count(n)} files have arrived. You may close this page.`;
export const refusedMore = (n: number) =>
  plural(n, { one: '1 more file was not taken.', other: '# more files were not taken.' });

// DropDialog.tsx, from a client's page.
export const dropLink = 'Drop link...';
export const dialogTitle = (client: string) => `Drop link of ${client}`;
export const dialogAbout =
  'A permanent address where this client can send files at any time. It shows nothing and overwrites nothing. Files arrive in the client’s folder “Received”.';
export const address = 'Address';
export const copy = 'Copy link';
export const copied = 'Address copied';
export const copyBlocked = 'The browser does not allow copying here. Select the address and copy it.';
export const qr = 'QR code of the address';
export const downloadSvg = 'QR as SVG';
export const downloadPng = 'QR as PNG';
export const printCard = 'Print card';
export const cardTitle = (client: string) => `Card for ${client}`;
export const print = 'Print';
export const backToClient = 'Back to the client';
export const cardAbout = 'Send us your documents: scan this code with the camera of your phone.';
export const cardAddress = 'Or type this address in your browser:';
export const cardFor = (client: string) => `For ${client}`;
export const fileMb = 'Maximum size of one file (MB)';
export const maxFiles = 'Maximum number of files in total';
export const kinds = 'What can be sent';
export const kindsOf = { any: 'All permitted file types', papers: 'PDFs and photos only' };
export const received = (n: number, most: number) => `${count(n)} of ${count(most)} files received so far`;
export const create = 'Create link';
export const save = 'Save limits';
export const saved = 'Limits saved';
export const renew = 'New address';
export const renewQuestion = 'Give this link a new address?';
export const renewAbout = 'The current address stops working, including on cards that are already printed.';
export const revoke = 'Revoke';
export const revokeQuestion = 'Revoke this link?';
export const revokeAbout = 'Nothing more can be sent through it. Received files stay.';
export const revoked = 'Link revoked';
export const failed = 'That did not work. Please try again.';
