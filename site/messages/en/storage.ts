import { plural } from './language.ts';

// Cleanup.tsx
export const deleteOneQuestion = (name: string) => `Delete “${name}”?`;
export const deleteQuestion = (n: number) => plural(n, { one: 'Delete 1 file?', other: 'Delete # files?' });
export const deleteOne = (name: string) => `Delete “${name}”`;
export const deleteFiles = (n: number) => plural(n, { one: 'Delete 1 file', other: 'Delete # files' });
export const largestFiles = 'Largest files';
export const notOpenedRecently = 'Not opened recently';
export const deleteAbout = (n: number, freed: string) =>
  `Are you sure you want to delete ${n} selected item(s)? This action cannot be undone. It frees ${freed}.`;
export const deleted = (n: number) => plural(n, { one: '1 file deleted', other: '# files deleted' });
export const someFailed = (n: number) => `Failed to delete ${n} item(s)`;
export const deleteFailed = 'Failed to delete items. Please try again.';
export const deletePicked = (n: number, freed: string) =>
  plural(n, { one: `Delete 1 (${freed})`, other: `Delete # (${freed})` });
export const allFiles = 'All files';
export const allOpened = (days: number) =>
  plural(days, {
    one: 'Every file was opened or changed in the last day.',
    other: 'Every file was opened or changed in the last # days.',
  });
export const selectFile = (name: string) => `Select ${name}`;

// PlanCard.tsx
export const users = (n: number) => plural(n, { one: '1 user', other: '# users' });
export const subscription = 'Current Subscription';
export const storageLimit = 'Storage limit';
export const userLimit = 'User limit';
export const billing = 'Billing';
export const freeInTrial = 'Free during the trial';
export const free = 'Free';
export const expiredOn = 'Expired On';
export const expiresOn = 'Expires On';
export const daysLeft = (n: number) => plural(n, { one: '(1 day left)', other: '(# days left)' });
export const billingLink = 'Billing and invoices';

// Storage.tsx
export const refreshed = 'Data refreshed successfully!';
export const title = 'Storage & Subscription';
export const loadFailed = 'Failed to load data';
export const almostFull = 'Storage almost full! Upgrade your plan or delete files.';
export const emptyTrashFirst = (bytes: string) => `<trash>Empty Trash</trash> first: it holds ${bytes}.`;
export const gettingFull = 'Storage getting full. Consider upgrading your plan.';

// TypesCard.tsx
export const typeCount = (n: number) => plural(n, { one: '1 type', other: '# types' });
export const fileCount = (n: number) => plural(n, { one: '1 file', other: '# files' });
export const share = (kind: string, percent: string) => `${kind} ${percent} percent`;
export const byType = (shares: string) => `Storage by type: ${shares}`;
export const fileTypes = 'File Types';
export const noFiles = 'No files yet. Once there are some, you see here what uses the most space.';

// UpgradeCard.tsx
export const renewPlan = 'Renew your plan';
export const moreStorage = 'More storage';
export const tryFree = (days: number) =>
  `Try 5 GB and 3 users free for ${days} days, or choose a plan. No card is needed for the trial.`;
export const untilRenewed = (limit: string) =>
  `Until then your limit is the Free Plan's, ${limit}. What you have stored stays where it is.`;
export const plansFrom = 'Plans begin at 25 GB. What you have stored stays where it is.';
export const startTrial = 'Start Free Trial';
export const viewPlans = 'View Plans';

// UsageCard.tsx
export const files = 'Files';
export const clients = 'Clients';
export const usage = 'Storage Usage';
export const ofLimit = (limit: string) => `of ${limit}`;
export const used = 'Storage used';
export const inTrash = (bytes: string) => `<trash>${bytes} of it in Trash</trash>`;
export const inVersions = (bytes: string) => `${bytes} of it in earlier versions`;
export const usedPercent = (percent: string) => `${percent} percent`;
