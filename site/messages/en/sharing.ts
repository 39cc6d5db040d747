import { count, list, plural } from './language.ts';

// ShareDialog.tsx, from the menu of an item and the bar of what is selected.
export const shareOne = (name: string) => `Share “${name}”`;
export const shareItems = (n: number) => plural(n, { one: 'Share 1 item', other: 'Share # items' });
export const severalClients = (n: number) => `Whoever opens this link sees documents of ${count(n)} clients:`;
export const documentsAndFolders = (n: number) =>
  `Whoever opens this link sees documents and folders of ${count(n)} clients:`;
/** @param n how many documents of other clients a link on a client's page does not show. */
export const leftOut = (client: string, n: number) =>
  `Only documents of ${client} are shown. ${othersLeftOut(n)}`;
export const othersLeftOut = (n: number) =>
  plural(n, {
    one: '1 document of another client is left out.',
    other: '# documents of other clients are left out.',
  });
export const ofClientAndNone = (client: string, n: number) =>
  plural(n, {
    one: () => `Documents of ${client} are shown, and 1 of no client.`,
    other: (number) => `Documents of ${client} are shown, and ${number} of no client.`,
  });
export const notAllLookedAt = (n: number) =>
  `These are more than ${count(n)} items, and only the first were looked at for documents of other clients.`;
export const clientsAndNone = (n: number) =>
  plural(n, {
    one: 'Whoever opens this link sees documents of 1 client, and some of no client:',
    other: 'Whoever opens this link sees documents of # clients, and some of no client:',
  });
export const documents = (n: number) => plural(n, { one: '1 document', other: '# documents' });
export const folders = (n: number) => plural(n, { one: '1 folder', other: '# folders' });
export const ofNoClient = (n: number) => `No client: ${documents(n)}`;
export const laterFilesIncluded = 'Files added to a shared folder later can be opened with the link too.';
export const who = 'Who can open it';
export const audiences = {
  anyone: 'Anyone who has the link',
  named: 'Only the people I name',
};
export const audienceHints = {
  anyone: 'The link can be passed on. Add a password for what is confidential.',
  named: 'Each person confirms the address with a six-digit code sent by e-mail.',
};
export const addresses = 'E-mail addresses';
export const addressesHint = 'Separate several addresses with commas, or write one per line.';
export const mode = 'What they may do';
export const modes = {
  download: 'View and download',
  view: 'View only',
};
export const modeHints = {
  download: 'They can save the files as they are.',
  view: 'They see pages with their name or address across them, and cannot save the files.',
};
export const expires = 'Last day';
export const expiresHint = (days: number) =>
  `The link ends at midnight after this day. At most ${count(days)} days from today.`;
export const password = 'Password';
export const passwordHint = 'Tell it by phone, not together with the link. Leave it empty for none.';
export const passwordKept = 'A password is set. Type another to change it.';
export const removePassword = 'Remove the password';
export const downloads = 'Maximum number of downloads';
export const downloadsHint =
  'A single file counts as one, and the link ends after the last. Leave it empty for no limit.';
export const notify = 'Tell me by e-mail when it is opened';
export const notifyHint = 'Once a day for each person';
export const codesNeedEmail =
  'E-mail is not set up on this server, so codes do not arrive and nobody can open such a link. Set up e-mail first, or protect a link for anyone by a password.';
export const mask = 'Cover Aadhaar numbers';
export const maskHint = 'All but the last four digits are black. What cannot be covered is withheld.';
export const maskNumbered = (n: number) =>
  plural(n, {
    one: '1 file has an Aadhaar number, which this link does not cover.',
    other: '# files have Aadhaar numbers, which this link does not cover.',
  });
export const maskLimits =
  'PDFs and photos with a number are given as pictures of their pages. QR codes beside a number are covered where they are found: look at a photo of a card yourself before you share it.';
export const maskChecked = (n: number) =>
  plural(n, { one: 'Checked: the file can be given.', other: 'Checked: all # files can be given.' });
export const maskCovered = (n: number) =>
  plural(n, { one: 'In 1 file numbers are covered.', other: 'In # files numbers are covered.' });
export const maskWaiting = (n: number) =>
  plural(n, {
    one: '1 file is still being read. It is withheld until that is done.',
    other: '# files are still being read. They are withheld until that is done.',
  });
export const maskWithheld = (n: number) =>
  plural(n, { one: '1 file is withheld from them:', other: '# files are withheld from them:' });
export const maskMore = 'Only the first 200 files were checked.';
export const maskReasons = {
  type: 'files of this type cannot be covered',
  unknown: 'what it says could not be read surely enough',
  locked: 'it opens only with a password',
  long: 'it is too long or too large',
  number: 'it has a number in it, and is no PDF or picture',
};
export const maskRemedies = {
  type: 'Share it as a PDF.',
  unknown: 'Upload a sharper or straighter scan.',
  locked: 'Allow locked PDFs that your office has opened, or share a copy without a password.',
  long: 'Split it into several files.',
  number: 'Share it as a PDF.',
};
/** `why`: without a full stop. */
export const maskName = (name: string, why: string) => `${name}: ${why}.`;
export const maskOtherLink =
  'Whoever may see the numbers can be sent these files by a link that does not cover them.';
export const maskMoreNames = (n: number) => plural(n, { one: 'and 1 more', other: 'and # more' });
export const openLocked = 'Show locked PDFs that your office has opened';
export const openLockedHint =
  'Without this, people need the password of such a PDF. A download always comes locked, as it is.';
export const create = 'Create link';
export const creating = 'Creating...';
export const failed = 'That did not work. Please try again.';
export const existingLinks = (n: number) =>
  plural(n, { one: 'There is a link to this already.', other: 'There are # links to this already.' });
export const someHaveLinks = 'Of these items, there is a link already to:';
export const manage = 'Manage';

// CreatedLink.tsx
export const ready = 'The link is ready';
export const linkMade = (
  what: string,
  {
    client,
    day,
    isNamed,
    isProtected,
  }: { client: string | null; day: string; isNamed: boolean; isProtected: boolean },
) => {
  const how = isProtected ? 'with the password' : 'without a password';
  const forWhom = `only for the people you have named${isProtected ? `, ${how}` : ''}`;
  return `It opens ${what}${client === null ? '' : ` of ${client}`} until ${day}, ${isNamed ? forWhom : how}.`;
};
export const shownOnce =
  'Copy or send it now: for safety it is not shown again. You can give the link a new address at any time.';
export const address = 'Link';
export const copy = 'Copy link';
export const copied = 'Link copied';
export const copyBlocked = 'The browser does not allow copying here. Select the link and copy it.';
export const whatsApp = 'WhatsApp';
export const sendByEmail = 'Send by e-mail';
export const sendTo = 'To';
export const send = 'Send';
export const sending = 'Sending...';
export const sent = (n: number) => plural(n, { one: 'Sent to 1 address', other: 'Sent to # addresses' });
export const revoke = 'Revoke...';
export const done = 'Done';
export const language = 'Language';
export const languageHint = 'Of the e-mail and the WhatsApp text';
export const languageHintNoEmail = 'Of the WhatsApp text';
export const quoted = (name: string) => `“${name}”`;
export const items = (n: number) => plural(n, { one: '1 item', other: '# items' });

// LinkDialog.tsx
export const linkTo = (what: string) => `Link to ${what}`;
export const save = 'Save';
export const saved = 'The link was changed';
export const newAddress = 'New address...';
export const newAddressQuestion = 'Give this link a new address?';
export const newAddressAbout = 'The address that was sent stops working. Whoever has it needs the new one.';
export const newAddressAction = 'Make a new address';
export const revokeQuestion = (n: number, what: string | null = null) =>
  plural(n, {
    one: what === null ? 'Revoke this link?' : `Revoke the link to ${what}?`,
    other: 'Revoke # links?',
  });
export const revokeAbout =
  'Nobody can open it any more, and downloads under way stop. This cannot be undone.';
export const revokeAction = (n: number) => plural(n, { one: 'Revoke the link', other: 'Revoke # links' });
export const revoked = (n: number) => plural(n, { one: 'Link revoked', other: '# links revoked' });

// Shared.tsx, the screen.
export const none = 'Nothing is shared';
export const noneYet =
  'Choose Share in the menu of a file or folder, or ask a client for documents. Each link is then listed here, with how often it was opened.';
export const noMatch = 'Nothing matches these filters.';
export const showAll = 'Show all';
export const loadFailed = 'The links could not be loaded. Please try again.';
export const links = 'Shared links, requests, drop links and clients’ pages';
export const kind = 'Kind';
export const allKinds = 'All kinds';
export const kinds = { link: 'Share links', request: 'Requests', drop: 'Drop links', page: 'Clients’ pages' };
export const kindOf = { request: 'Request', drop: 'Drop link', page: 'Client’s page' };
export const numberOfMore = (n: string) => `${n}+`;
export const tooManyItems = (max: number) =>
  `One link can share at most ${count(max)} items. Select fewer, or share their folder.`;
export const showMore = 'Show more';
export const openRequest = (name: string) => `Open the request ${name}`;
export const closeRequest = (name: string) => `Close the request ${name}`;
export const chooseRequest = (name: string) => `Select the request ${name}`;
export const anything = 'Anything the client sends';
export const untilRevoked = 'until revoked';
export const perFile = (mb: number) => `at most ${count(mb)} MB a file`;
export const received = (n: number, most: number) => `${count(n)} of ${count(most)} files received`;
export const lastReceived = (when: string) => `last file: ${when}`;
export const changeDrop = (client: string) => `Change the drop link of ${client}`;
export const revokeDrop = (client: string) => `Revoke the drop link of ${client}`;
export const chooseDrop = (client: string) => `Select the drop link of ${client}`;
export const opensFor = (n: number) =>
  plural(n, { one: 'Opens for 1 e-mail address', other: 'Opens for # e-mail addresses' });
export const changePage = (client: string) => `Change the page of ${client}`;
export const endPage = (client: string) => `End the page of ${client}`;
export const choosePage = (client: string) => `Select the page of ${client}`;
export const onPage = 'on the client’s page';
export const masked = 'Aadhaar numbers covered';
export const onPortal = 'Show on the client’s own page too';
export const onPortalHint =
  'Everybody who opens that page then sees it. Links for named people appear there automatically, for these people only.';
export const onPortalNeedsClient = 'Only for files and folders that are all linked to the same client.';
export const closeQuestion = (n: number) =>
  plural(n, { one: 'Close this request?', other: 'Close # requests?' });
export const closeAbout = 'Nothing more can be sent for it. Received files stay, and it can be opened again.';
export const closeAction = (n: number) => plural(n, { one: 'Close the request', other: 'Close # requests' });
export const revokeDropAbout = (n: number) =>
  plural(n, {
    one: 'Nothing more can be sent through it. Received files stay.',
    other: 'Nothing more can be sent through them. Received files stay.',
  });
export const requestsClosed = (n: number) => plural(n, { one: 'Request closed', other: '# requests closed' });
export const endPageQuestion = (n: number) => plural(n, { one: 'End this page?', other: 'End # pages?' });
export const endPageAbout = (n: number) =>
  plural(n, {
    one: 'Its link stops working. Requests, shared links and the drop link keep working at their own addresses.',
    other:
      'Their links stop working. Requests, shared links and drop links keep working at their own addresses.',
  });
export const endPageAction = (n: number) => plural(n, { one: 'End the page', other: 'End # pages' });
export const pagesEnded = (n: number) => plural(n, { one: 'Page ended', other: '# pages ended' });
export const endQuestion = (n: number) => plural(n, { one: 'End this link?', other: 'End # links?' });
export const endAbout =
  'Nobody can open or send anything by them any more, and downloads under way stop. Received files stay. Only requests can be opened again.';
export const endAction = (n: number) => plural(n, { one: 'End the link', other: 'End # links' });
export const ended = (n: number) => plural(n, { one: '1 ended', other: '# ended' });
const notEnded = (n: number) => plural(n, { one: '1 could not be ended', other: '# could not be ended' });
/** After several were to be ended. `reason`: a sentence. */
export const partlyEnded = (done: number, failed: number, reason: string) =>
  `${ended(done)}, ${notEnded(failed)}. ${reason}`;
export const state = 'State';
export const states = {
  open: 'Open',
  ended: 'Ended',
  used_up: 'Used up',
  revoked: 'Revoked',
  gone: 'Not available',
};
export const allStates = 'All states';
export const stateHints = {
  gone: 'What it shows is in Trash or deleted, or the person who made it may no longer share it.',
};
export const client = 'Client';
export const allClients = 'All clients';
export const contentsGone = 'What was shared is no longer there';
export const openTo = { anyone: 'Anyone with the link', named: (emails: readonly string[]) => named(emails) };
const named = (emails: readonly string[]) =>
  list(emails.length > 3 ? [...emails.slice(0, 3), `${count(emails.length - 3)} more`] : emails);
export const moreItems = (n: number) => plural(n, { one: 'and 1 more', other: 'and # more' });
export const changeLink = (what: string) => `Change the link to ${what}`;
export const revokeLink = (what: string) => `Revoke the link to ${what}`;
export const selectNone = 'Select none';
export const by = (name: string) => `by ${name}`;
/** Links to the same folder are told apart by it. */
export const made = (when: string, name: string) => `made ${when} by ${name}`;
export const until = (day: string) => `until ${day}`;
export const withPassword = 'password';
export const openedTimes = (n: number) => plural(n, { one: 'Opened once', other: 'Opened # times' });
export const neverOpened = 'Not opened yet';
export const lastOpened = (when: string, who: string | null, from: string | null) =>
  `last time: ${[when, who && `by ${who}`, from && `(${from})`].filter(Boolean).join(' ')}`;
export const downloaded = (n: number, most: number | null) =>
  most === null
    ? plural(n, { one: '1 download', other: '# downloads' })
    : `${count(n)} of ${plural(most, { one: '1 download', other: '# downloads' })}`;
export const choose = (what: string) => `Select the link to ${what}`;
export const selectAll = 'Select all';
export const sharingOff =
  'Sharing by links is switched off for your firm, so no link can be opened. An admin can switch it on in Settings.';

export const withheldNames = (n: number, names: readonly string[]) =>
  `${maskWithheld(n)} ${list(names.length < n ? [...names, `${count(n - names.length)} more`] : names)}.`;
export const withheldHint = 'Change the link to see why, and what to do.';

// Settings.
export const settingsTitle = 'Sharing by links';
export const settingsAbout = 'Whether people of your firm can share files with others by a link.';
export const enabled = 'Allow links';
export const enabledHint = 'Switched off, no link of your firm can be opened until it is on again.';
export const maxDays = 'Maximum validity of a link (days)';
export const settingsSaved = 'Sharing settings saved';
