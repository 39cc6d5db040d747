import { count, plural } from './language.ts';

// Texts that several screens share

export const cancel = 'Cancel';
export const close = 'Close';
export const done = 'Done';
export const discard = 'Discard';
export const discardChanges = 'Discard your changes?';
export const notSaved = 'What you have typed has not been saved.';
export const tooLong = (max: number) => `Use at most ${count(max)} characters`;
export const keepEditing = 'Keep editing';
export const retry = 'Retry';
export const save = 'Save';
export const saving = 'Saving...';
export const savedNow = 'Saved now:';
export const saveAllTheSame = 'Save all the same';
export const refresh = 'Refresh';
export const remove = 'Delete';
export const download = 'Download';
export const preview = 'Preview';
export const signIn = 'Sign In';
export const signingIn = 'Signing in...';

export const name = 'Name';
export const email = 'Email';
export const phone = 'Phone';
export const fullName = 'Full name';
export const licenseNumber = 'CA license number';
export const licenseHint = 'ICAI membership no.';
export const firmName = 'Firm name';
export const password = 'Password';
export const currentPassword = 'Current password';
export const newPassword = 'New password';
export const confirmNewPassword = 'Confirm new password';
export const passwordHint = 'At least 8 characters. A short sentence is easy to remember and hard to guess.';

export const passwordRequired = 'Password is required';
export const passwordsDiffer = 'Passwords do not match';
export const codeRequired = 'Enter the code';
export const noConnection = 'Unable to connect to the server. Please try again.';

export const active = 'Active';
export const expired = 'Expired';

export const dismiss = 'Dismiss';
export const reload = 'Reload';
export const undo = 'Undo';
export const partFailed = 'This part of the page could not be shown';
export const partFailedAbout =
  'Nothing that was saved is lost. If it happens again after reloading, tell your administrator.';
export const partMissing =
  'A part of this page could not be loaded. Check your network, then reload the page.';
export const breadcrumbs = 'Breadcrumbs';
export const clearField = (label: string) => `Clear ${label}`;
export const client = 'Client';
export const allClients = 'All clients';
export const noClient = 'No Client';
export const clientNumber = (id: string) => `Client ${id}`;
export const everybody = 'Everybody';
export const noClientsFound = 'No clients found';
export const filters = 'Filters';
export const filtersInUse = (n: number) =>
  plural(n, { one: 'Filters (1 in use)', other: 'Filters (# in use)' });
export const showPassword = 'Show password';
export const hidePassword = 'Hide password';
export const notifications = 'Notifications';
export const closeToast = 'Close the notification';

export const myDrive = 'My Drive';
// Instead of a folder's name while it is loading: 'Move to this folder'
export const thisFolder = 'this folder';
export const networkError = 'Network error';
export const httpError = (status: number) => `HTTP error! status: ${status}`;
export const serverSilent = 'The server does not answer. Please try again.';

export const unknown = 'Unknown';
export const noEmail =
  'E-mail is not set up on this server, so nothing is sent from here. Send the link yourself.';
export const justNow = 'Just now';
export const hoursAgo = (hours: number) => `${hours}h ago`;
export const daysAgo = (days: number) => `${days}d ago`;

export const andMore = (n: number) => plural(n, { one: 'And 1 more...', other: 'And # more...' });
export const downloadFailed = 'Failed to download file. Please try again.';
export const noDownloadLink = 'Failed to generate download link';
export const noPreviewLink = 'Failed to generate preview URL';
export const loading = 'Loading';
export const completed = 'Completed';

/** Added to the message of a failed action. */
export const offline = 'You are offline.';
export const noAnswer = 'The server does not answer.';
