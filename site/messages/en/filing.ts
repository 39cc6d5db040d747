import type { ClientEvidence, Doubt } from '#server/filing/contract.ts';
import { count, plural } from './language.ts';

// In a chartered accountant's office 'filed' means filed with a department, so that users read 'organise'.

// Filing.tsx
export const fileMany = (n: number) =>
  plural(n, { one: 'Organise 1 document', other: 'Organise # documents' });
/** Of the documents that could be organised, so many are shown; `atLeast`: there are more than `total`. */
export const countOf = (shown: number, total: number, atLeast: boolean) =>
  atLeast
    ? `${count(shown)} of more than ${count(total)}`
    : total > shown
      ? `${count(shown)} of ${count(total)}`
      : count(shown);
export const selectSure = 'Select all that are sure';
export const selectNone = 'Select none';
export const showAll = 'Show all';
export const fileNaming = 'File naming...';
export const suggestions = 'Suggestions';
export const loadFailed = 'The suggestions could not be loaded. Please try again.';
export const fileFailed = 'These documents could not be organised. Please try again.';
export const filed = (n: number) =>
  plural(n, { one: '1 document organised', other: '# documents organised' });
export const notFiled = (n: number) =>
  plural(n, { one: '1 document was not organised', other: '# documents were not organised' });
export const undone = (n: number) =>
  plural(n, { one: '1 document is back where it was', other: '# documents are back where they were' });
export const notUndone = (n: number) =>
  plural(n, { one: '1 document stays as it is', other: '# documents stay as they are' });
export const undoFailed = 'This could not be undone. Please try again.';
export const nothing = 'Nothing to organise';
export const nothingAbout =
  'Documents without a client, and those in an inbox, appear here once they have been read, each with a suggested client, folder and name. Check the suggestion, then organise the document in one step.';
export const notIdentified = (n: number) =>
  plural(n, {
    one: '1 document could not be identified',
    other: '# documents could not be identified',
  });
export const notIdentifiedAbout = 'Choose the client yourself for those that you know.';
export const reading = (n: number) =>
  plural(n, { one: 'Reading 1 document...', other: 'Reading # documents...' });
export const readingAbout = 'Documents that can be organised appear here by themselves.';
export const withoutText = (n: number) =>
  plural(n, {
    one: '1 more document contains no text, or could not be read.',
    other: '# more documents contain no text, or could not be read.',
  });
export const firstShown = 'These are the first. Organise some of them to see others.';
export const goToDrive = 'Go to Dashboard';

// SuggestionRow.tsx
export const choose = (name: string) => `Choose ${name}`;
export const change = 'Change';
export const done = 'Done';
export const file = 'Organise';
export const fileNamed = (name: string) => `Organise ${name}`;
export const changeNamed = (name: string) => `Change where ${name} goes`;
export const client = 'Client';
export const clientPlaceholder = 'Choose a client';
export const folder = 'Folder';
export const folderHint = 'Below the client’s own folder, separated by /';
export const newName = 'Name';
export const newClient = (name: string) => (name === '' ? 'New client...' : `New client “${name}”...`);
export const whichClient = 'Which client?';
export const clientEvidence: Record<ClientEvidence, string> = {
  pan: 'PAN matches',
  gstin: 'GSTIN matches',
  tan: 'TAN matches',
  cin: 'CIN matches',
  registered_name: 'registered name matches',
  name_and_more: 'name and address, phone, e-mail or date match',
  account: 'account of earlier statements',
  name: 'same name',
  issuer: 'employer or deductor',
  mentioned: 'named in it',
};
export const sure = 'Sure';
export const doubts: Record<Doubt, string> = {
  no_client: 'No client matches it',
  name_only: 'Only the name matches',
  issuer: 'A client issued it to somebody else',
  mentioned: 'By its own numbers it is somebody else’s',
  two_clients: 'It fits two clients',
  type: 'Not sure what it is',
  year: 'Year not known',
};
export const taken = 'The name is taken: it gets a number';
export const goesTo = 'Goes to';
export const check = 'Check';

// NewClientDialog.tsx
export const newClientTitle = 'New client';
export const createClient = 'Create client';
export const createFailed = 'The client could not be created. Please try again.';
export const nameRequired = 'Please enter a name';
export const pan = 'PAN';
export const gstin = 'GSTIN';

// PatternDialog.tsx
export const patternTitle = 'Names of organised documents';
export const pattern = 'Pattern';
export const patternHint =
  'Use {client}, {type}, {number} (of an invoice or challan; of an account its last four digits), {period}, {year}, {date} and {name}. What is not known is left out.';
export const patternFailed = 'The pattern could not be saved. Please try again.';
export const save = 'Save';

// Runs.tsx
export const filedBefore = 'Organised recently';
/** A run by its first document, of which there are `more`. */
export const filedRun = (name: string, more: number) =>
  more === 0
    ? name
    : plural(more, { one: () => `${name} and 1 more`, other: (text) => `${name} and ${text} more` });
export const undoRun = (run: string) => `Undo: ${run}`;
export const filedAt = (n: number, when: string) =>
  plural(n, { one: `1 document, ${when}`, other: `# documents, ${when}` });
export const automatically = 'automatically';
export const wasUndone = 'Undone';

// InboxDialog.tsx, Runs.tsx
export const inboxes = 'Inboxes';
export const inboxTitle = (name: string) => `Inbox: ${name}`;
export const isInbox = 'Suggest where the documents in this folder go';
export const isInboxAbout =
  'They appear under Organise, with the client, the folder and the name that fit them.';
export const fileAutomatically = 'Automatically organise what is sure';
export const fileAutomaticallyAbout =
  'Documents with the PAN, GSTIN, TAN, CIN or registered company name of exactly one client, or with its name and address, phone, e-mail or date of birth, and bank statements of an account whose earlier statements are all with one client, are moved and renamed without asking, in your name. Each time can be undone under Organise.';
export const inboxSaved = 'Inbox settings saved';
export const inboxNotLoaded = 'The settings of this inbox could not be loaded. Please try again.';
export const inboxFailed = 'This could not be saved. Please try again.';
