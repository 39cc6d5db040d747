import type { AuditKind } from '#server/audit/contract.ts';

export const title = 'History';
export const loadFailed = 'The history could not be read. Please try again.';
export const exportCsv = 'Export';
export const exportAbout = 'Export these entries as CSV';
export const exportBegun = 'The download has started';
export const exportBegunAbout = 'Your browser shows its progress. It is noted in the history.';

// Filters.tsx
export const person = 'Person';
export const kind = 'Kind';
export const allKinds = 'Everything';
export const kinds: Record<AuditKind, string> = {
  added: 'Uploaded, created',
  changed: 'Renamed, moved, sealed',
  deleted: 'Deleted',
  read: 'Viewed, downloaded',
  shared: 'Sharing and requests',
  clients: 'Clients',
  sign_in: 'Sign-ins, accounts',
  team: 'Team, access',
  billing: 'Plan, payments',
};
export const onlyItem = (name: string) => `Only ${name}`;
export const endOnlyItem = (name: string) => `Show more than ${name}`;
export const deletedItem = 'a deleted item';
export const deletedClient = 'A deleted client';

// Entries.tsx
export const today = 'Today';
export const yesterday = 'Yesterday';
export const theServer = 'The server';
export const nobodySignedIn = 'Not signed in';
export const none = 'No entries found';
export const noMatch = 'Nothing in the history matches these filters.';
export const noneYet = 'What people do to the documents of your clients is listed here.';
export const showAll = 'Show everything';
export const beginning = 'This is where the history begins.';

// Menus of items and clients, and the settings
export const open = 'Open the history';
