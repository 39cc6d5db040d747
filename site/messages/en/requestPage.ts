import { count, list, plural } from './language.ts';

// pages/r: the page of a document request, for the client
export const pageTitle = (firm: string) => `Documents for ${firm}`;
export const askedBy = (name: string, firm: string) => `${name} of ${firm} asks you for these documents.`;
export const askedByFirm = (firm: string) => `${firm} asks you for these documents.`;
export const due = (day: string) => `Please send by ${day}`;
export const overdue = (day: string) => `Was due ${day}. Please send as soon as you can`;
export const progress = (done: number, all: number, unavailable: number) =>
  `${done} of ${all} sent${unavailable > 0 ? `, ${unavailable} not available` : ''}`;
export const rows = 'Documents';
export const states = {
  wanted: 'Needed',
  arriving: 'Received',
  received: 'Received',
  accepted: 'Accepted',
  returned: 'Please send again',
  stillWanted: 'Still needed',
  unavailable: 'Not available',
};
export const officeReason = (reason: string) => `From the office: ${reason}`;
export const arrivingPhotos = 'Your photos are being put together as PDF.';
export const arrivingFiles = 'It is being checked before the office opens it.';
export const yourReason = (reason: string) => `You wrote: ${reason}`;
export const locked = 'opens only with a password: tell the office what it is';
export const pages = (n: number) => plural(n, { one: '1 photo', other: '# photos' });
export const arrivedFile = 'Received';
export const acceptedFile = '· accepted';
export const notAccepted = 'Not accepted';
export const notAcceptedBecause = (reason: string) => `Not accepted: ${reason}`;
export const sentBack = (n: number) =>
  plural(n, {
    one: 'The office has sent 1 document back. Please see why below, and send it again.',
    other: 'The office has sent # documents back. Please see why below, and send them again.',
  });
export const sendAgainOnly =
  'Only what is not accepted has to be sent again. The other files stay as they are.';
export const takeBack = 'Take back';
export const takeBackFile = (file: string) => `Take back ${file}`;
export const takeBackAbout =
  'The office has not opened this file yet. If you sent it by mistake, take it back: it goes to the trash of the office, and is no longer among what you have sent.';
export const takeBackNow = 'Yes, take it back';
export const chooseFiles = 'Choose files';
export const takePhotos = 'Take photos';
export const filesFor = (row: string) => `Files for ${row}`;
export const photosFor = (row: string) => `Photos for ${row}`;
export const send = 'Send';
export const sendPhotosForms = {
  one: 'Send 1 photo',
  other: 'Send {n} photos as one PDF',
  several: 'Send {n} photos as {pdfs} PDFs',
};
export const photosNotSent = 'Not sent yet. Add more pages, or send them with the button below.';
export const removePhoto = 'Remove photo {n}';
export const movePhoto = 'Move photo {n} forward';
export const uploading = 'Sending {name}: {percent}%';
export const sendingPhotos = 'Sending photos: {n} of {all} have arrived';
export const offline = 'No connection. Sending continues automatically: keep this page open.';
export const interrupted = '{name} has not arrived. Choose it again to continue.';
export const makingPdf = 'Putting your photos together as PDF...';
export const photosArrivedForms = {
  other: '{n} photos have arrived as one PDF',
  several: '{n} photos have arrived as {pdfs} PDFs',
};
export const unread =
  'Sent as files of their own, not as pages of a PDF, since they cannot be read as photos: {names}. Check that they open, or take the photos again.';
export const sent = '{name} has arrived';
export const alreadySent = 'You have already sent {name}. It is stored once.';
export const alreadySentSeveral = 'You have already sent {n} of these files. They are stored once.';
export const retry = 'Try again';
export const closeMessage = 'Close this message';
export const doNotHave = 'I do not have this';
export const reason = 'Why? (optional)';
export const reasonHint = 'For example: no such account, or my employer has not given it yet';
export const tellOffice = 'Tell the office';
export const haveItAfterAll = 'I do have it';
export const finish = 'I have sent everything I can';
export const sendingFirst = 'Sending your files first...';
export const stillOpenForms = {
  one: '1 document is still open. Finish anyway?',
  other: '{n} documents are still open. Finish anyway?',
};
export const notArrivedForms = {
  one: '1 file has not arrived. Finish without it?',
  other: '{n} files have not arrived. Finish without them?',
};
export const moreNames = 'and {n} more';
export const finishAnyway = 'Yes, finish';
export const goBack = 'No, go back';
export const finishAbout = 'You get a receipt with a number. You can come back to this page and send more.';
export const receipt = (n: number) =>
  n === 0 ? 'Your answer received' : plural(n, { one: '1 file received', other: '# files received' });
export const receiptNumber = (number: string) => `Receipt no. ${number}`;
export const receiptAbout = (when: string) => `On ${when}. You may close this page now.`;
export const receiptSoFar = (when: string) => `On ${when}. You can still send what is missing.`;
export const receiptBefore = (when: string, n: number) =>
  `On ${when}. ${plural(n, { one: '1 file has come since.', other: '# files have come since.' })} For a receipt with all of them, press “${finish}”.`;
export const receiptTakenBack = (n: number) =>
  plural(n, { one: 'You have taken back 1 of them since.', other: 'You have taken back # of them since.' });
export const complete = 'All done, thank you';
export const completeAbout = (firm: string) =>
  `${firm} has accepted everything. There is nothing more to send.`;
export const closed = 'This request is closed';
export const closedAsk = (name: string, firm: string) =>
  `Nothing can be sent by this link at present. If you still have something to send, ask ${name} of ${firm}.`;
export const closedAskFirm = (firm: string) =>
  `Nothing can be sent by this link at present. If you still have something to send, ask ${firm}.`;
export const notTaken = 'What you have just sent was not taken, since this request is closed.';
export const questions = 'Questions? Write to';
export const arrivedFor = (names: readonly string[]) => `Your files have arrived: ${list(names)}.`;
export const refusedMore = (n: number) =>
  plural(n, {
    one: '1 more file was not taken. Below is what has arrived.',
    other: '# more files were not taken. Below is what has arrived.',
  });
const papersOnly = 'Only PDFs and photos can be sent through this link. Send it as a PDF.';
/** @param papers whether the link takes only PDFs and photos. */
export const notices = (mb: number, papers = false): Record<string, string> => ({
  arrived: 'Your files have arrived.',
  done: 'Thank you. Your receipt is below.',
  taken_back: 'The file was taken back.',
  in_use: 'The office works with this file already. Write to the office if you sent it by mistake.',
  none: 'Choose at least one file first.',
  nothing: 'Nothing has arrived yet. Send something first, or say what you do not have.',
  not_ours: 'Please try again. If this comes back, allow cookies for this page in your browser.',
  empty: 'This file is empty. Open it to check, and send it again.',
  program: 'This is a program, not a document. It was not accepted.',
  not_what_it_says:
    'This file is not what its name says, or it is damaged. Open it to check, and send it again.',
  papers_only: papersOnly,
  kind: papers
    ? papersOnly
    : 'Files of this type are not accepted. Send a PDF, a photo, or a Word or Excel file.',
  infected: 'This file contains a virus. It was not accepted.',
  file_too_large: `This file is too large: at most ${count(mb)} MB. Send it in parts, or ask the office.`,
  too_large: 'These files are too many or too large to send together. Send them in smaller batches.',
  too_many: 'Nothing more can be sent through this link. Ask the office for a new one.',
  cannot_receive:
    'The office cannot receive files right now. Nothing is wrong with your file: tell the office, and try again later.',
  wait: 'That was too much in a short time. Please wait 15 minutes and try again.',
  cut_off: 'The upload was interrupted. Please try again.',
  stalled: 'The upload was interrupted. Please try again.',
  lost: 'This file could not be saved. Please send it again.',
  unreadable: 'This file was changed, moved or deleted since you chose it. Choose it again.',
  not_needed:
    'The office has accepted this document already, or does not ask for it any more. Nothing was sent for it.',
  file_gone: 'This file is not among what you have sent any more.',
  link_gone:
    'This link does not work any more, so nothing was sent. If the office still needs something, ask it for a new link.',
  fault:
    'Something went wrong on our side, and what you have just sent may not have arrived. Please send it again in a few minutes, and tell the office if that does not work either. A file that has arrived is not taken twice.',
  failed: 'That did not work. Please try again.',
});
