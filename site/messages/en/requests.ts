import { count as number, list as listed, plural } from './language.ts';

// islands/requests: the list of requests
export const newRequest = 'Ask for documents';
export const count = (n: number) => plural(n, { one: '1 request', other: '# requests' });
export const list = 'Requests to clients';
export const none = 'No open requests';
export const noneYet =
  'Ask a client for documents: they get a link, send photos or files from the phone, and you see here what has been received.';
export const noMatch = 'No request matches these filters.';
export const showAll = 'Show all';
export const loadFailed = 'The requests could not be loaded.';
export const failed = 'That did not work. Please try again.';
export const sharingOff =
  'Sharing by links is switched off for your firm, and so are requests. An admin can switch it on in Settings.';
export const waiting = 'Waiting for';
/** In the filter, where there is little room. */
export const waitingFilter = {
  any: 'Waiting: all',
  client: 'Waiting: client',
  office: 'Waiting: our office',
  new: 'With new documents',
};
export const waitingFor = { client: 'Waiting for the client', office: 'Waiting for our office' };
export const client = 'Client';
export const allClients = 'All clients';
export const sort = 'Order';
export const sorts = { due: 'Due first', client: 'By client', new: 'New documents first' };
export const search = 'Search requests';
export const scope = 'Show';
export const scopes = { open: 'Open', all: 'Open and done' };
export const states = { open: 'Open', complete: 'Complete', closed: 'Closed' };
export const due = (day: string) => `Due ${day}`;
export const overdue = (day: string) => `Overdue since ${day}`;
export const noDue = 'No due date';
export const progress = (received: number, all: number, unavailable: number) =>
  `${received} of ${all} received${unavailable > 0 ? `, ${unavailable} not available` : ''}`;
export const finished = (day: string, receipt: string) => `Client finished on ${day} · receipt ${receipt}`;
export const lastReceipt = (receipt: string) => `Last receipt ${receipt}`;
export const newCount = (n: number) => plural(n, { one: '1 new', other: '# new' });
/** Documents that came, beside what the client has still to send. */
export const toJudge = (n: number) => plural(n, { one: '1 to check', other: '# to check' });
export const isNew = 'New';
export const missingCount = (n: number) =>
  n === 0 ? 'nothing missing' : plural(n, { one: '1 missing', other: '# missing' });
/** On a client's page. */
export const allOfClient = 'All requests';
export const neverOpened = 'Not opened yet';
/** `Just now` within a sentence. */
const within = (when: string): string => when.replace(/^Just/, 'just');
export const opened = (when: string) => `Opened ${within(when)}`;
export const reminded = (when: string) => `Reminded ${within(when)}`;
export const askedBy = (name: string) => `Asked by ${name}`;
export const noEmail = 'No e-mail address: send the link by hand';
export const emailTo = (email: string) => `E-mails go to ${email}`;

// islands/asking: one request
export const rowStates = {
  wanted: 'Needed',
  received: 'Received',
  accepted: 'Accepted',
  returned: 'Sent back',
  unavailable: 'Not available',
};
/** Beside a document of which what has come is not in the drive yet. */
export const arriving = 'Received, being prepared';
export const locked = 'opens only with a password';
export const notInDrive = 'not in the drive any more';
export const inTrash = 'in Trash';
export const notYetInDrive = 'not in the drive yet';
export const reasonGiven = (reason: string) => `Reason: ${reason}`;
export const noReason = 'The client gave no reason.';
export const accept = 'Accept';
export const acceptRow = (row: string) => `Accept ${row}`;
export const undoAccept = 'Undo';
export const undoAcceptRow = (row: string) => `Undo accepting ${row}`;
/** In the preview of one of several files. */
export const undoAcceptLine = 'Undo for the whole document';
/** After Ctrl+Z while another file is shown. */
export const takenBack = (file: string) => `“${file}” is neither accepted nor sent back any more`;
export const undoReturn = 'Undo';
export const undoReturnRow = (row: string) => `Undo sending back ${row}`;
export const sendBack = 'Send back';
export const sendBackRow = (row: string) => `Send back ${row}`;
/** After something was sent back. */
export const tells = (time: string) =>
  `The client is told at about ${time} of what is sent back, in one e-mail.`;
export const tellsAll = (minutes: number) =>
  `It waits ${plural(minutes, { one: '1 minute', other: '# minutes' })} after the last decision; what you accept or undo meanwhile is left out.`;
export const sendBackWhy = 'Send back...';
export const sendBackQuestion = (file: string) => `Send back “${file}”`;
export const acceptedMeanwhile = 'A colleague has accepted this meanwhile.';
export const sendBackAllTheSame = 'Send back all the same';
export const reasonMissing = 'Say why, so that the client knows what to do';
/** Above a previewed file. */
export const asked = 'Request';
export const reason = 'Why? The client sees this';
export const reasonHint = 'For example: page 2 is missing, or the photo cannot be read';
export const notTold =
  'The client is not told by e-mail. They see it on their page, so send them the link again.';
export const remind = 'Remind now';
export const remindedNow = 'The client was reminded by e-mail';
export const copyLink = 'Copy link';
export const copied = 'Link copied';
export const copyBlocked = (url: string) =>
  `The browser does not allow copying here. Select the address and copy it: ${url}`;
export const whatsApp = 'WhatsApp';
export const openFolder = 'Open folder';
export const edit = 'Edit';
export const moreActions = 'More actions';
export const close = 'Close request';
export const reopen = 'Open again';
export const newAddress = 'Give it a new address';
export const newAddressQuestion = 'Give this request a new address?';
export const newAddressAbout =
  'The link that the client has now will not work any more. Send the new one afterwards.';
export const newAddressDone = 'The link has a new address. Copy it and send it to the client';
export const remove = 'Delete request';
export const removeQuestion = (title: string) => `Delete “${title}”?`;
export const removeAbout =
  'The link stops working. What was accepted and sent back, and the answers of the client, are deleted with the request. Received files stay in the drive. This action cannot be undone.';
export const gone = 'This request was deleted, or its client is not assigned to you any more.';
export const reasonKept = (about: string) =>
  `“${about}” is not in a request that you see any more. What you wrote to send it back was not sent:`;
export const removed = 'Request deleted';
export const closed = 'Request closed: the link does not work any more';
export const save = 'Save';
export const saved = 'Request saved';

// islands/request-dialogs/AskDialog.tsx
export const clients = 'Clients';
export const showRequests = 'Show';
export const clientsChosen = (n: number) => plural(n, { one: '1 client', other: '# clients' });
export const notChosen = (typed: string) =>
  `“${typed}” is not chosen yet. Choose the client from the list, or clear the field.`;
export const addClient = 'Add a client';
export const removeClient = (name: string) => `Remove ${name}`;
export const template = 'Template';
export const noTemplate = 'Start from an empty list';
export const ownTemplate = (name: string) => `${name} (own)`;
export const listReplaced = 'The list that you have edited is replaced by the one of the template.';
export const year = 'Year';
export const month = 'Month';
export const quarter = 'Quarter';
export const title = 'Name of the request';
export const titleHint = 'The client sees it, and received files are put into a folder of this name.';
export const rows = 'Documents needed';
export const rowsHint = 'One document per line. You can edit the list.';
export const dueOn = 'Due date';
export const note = 'Note to the client';
export const language = 'Language';
export const languageKept = 'Kept for the client: shared links and later requests use it too.';
export const notTranslated = 'The documents, name and note stay as they are written here.';
/** For clients of several languages. */
export const ownLanguages = 'That of each client';
export const reminders = 'Reminders by e-mail';
export const remindBefore = '3 days before the due date';
export const remindOn = 'On the due date';
export const remindAfter = 'Every 7 days after it';
export const remindNeedsDay = 'Choose a due date for reminders.';
export const email = 'E-mail address';
export const send = (n: number) => plural(n, { one: 'Send request', other: 'Send # requests' });
export const create = (n: number) => plural(n, { one: 'Create request', other: 'Create # requests' });
export const sending = 'Sending...';
export const madeFor = (client: string, request: string) => `Request created for ${client}: ${request}`;
export const passItOn = 'No e-mail has told the client. Send them this link; it is also in the request.';
export const madeNoEmail = (n: number) =>
  plural(n, {
    one: 'Request created. Open it to copy its link',
    other: '# requests created. Open each to copy its link',
  });
export const made = (n: number) => plural(n, { one: 'Request sent', other: '# requests sent' });
/** Some clients have no e-mail address. */
export const madeSomeByHand = (sent: number, byHand: number) =>
  sent === 0
    ? plural(byHand, { one: '1 request to send by hand', other: '# requests to send by hand' })
    : `${plural(sent, { one: '1 request sent', other: '# requests sent' })}, ${number(byHand)} to send by hand`;
export const sendByHand = (names: string) => `No e-mail address: send the link by hand to ${names}`;
export const saveTemplate = 'Save list as template';
export const templateName = 'Name of the template';
export const replaceTemplateQuestion = (name: string) => `Replace the template “${name}”?`;
export const replaceTemplateAbout =
  'The firm has another list under this name, which a colleague may have made. It cannot be restored.';
export const replaceTemplate = 'Replace the template';
export const otherName = 'Choose another name';
export const templateSaved = 'Template saved';
export const deleteTemplate = 'Delete template';
export const deleteTemplateQuestion = (name: string) => `Delete the template “${name}”?`;
export const deleteTemplateAbout =
  'Requests that were made from it stay as they are. The template cannot be restored.';
export const templateDeleted = 'Template deleted';
export const chooseClient = 'Choose a client';
/** At most three names are written out. */
export const askedAlready = (names: string[]) => {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${number(names.length - 2)} more`] : names;
  return plural(names.length, {
    one: () => `${listed(shown)} has an open request of this name, and will be asked again.`,
    other: () => `${listed(shown)} have open requests of this name, and will be asked again.`,
  });
};
