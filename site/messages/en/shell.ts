import { plural } from './language.ts';
// nav.ts
export const dashboard = 'Dashboard';
export const documents = 'Documents';
export const clients = 'Clients';
export const recentFiles = 'Recent Files';
export const recent = 'Recent';
export const filing = 'Organise';
export const review = 'Review';
export const requests = 'Requests';
export const shared = 'Shared';
export const retention = 'Retention';
export const storage = 'Storage';
export const trash = 'Trash';
export const history = 'History';
export const team = 'Team';
export const teamAndRoles = 'Team: people, roles and invitations';
export const settings = 'Settings';
export const help = 'Help';

// GlobalSearch.tsx
export const searchLabel = 'Search files, folders and clients';
export const searchPlaceholder = 'Search files and clients';
export const searchKey = 'Ctrl K';
export const found = 'Found';

// SearchRow.tsx
export const filesOf = (name: string) => `Files of ${name}`;

// TopBar.tsx
export const switchTheme = 'Switch theme';

// UpdateNotice.tsx
export const outdated = 'This page is from an older version. Reload it to continue with the new one.';
export const partNotLoaded =
  'A part of this page could not be loaded. Check your network, then reload the page.';
export const partBroken = 'A part of this page has failed. Reload the page; nothing that was saved is lost.';
export const uploadsRunning = 'Uploads are running: wait for them, or choose their files again afterwards.';
export const later = 'Later';

// UserMenu.tsx
export const confirmLogout = 'Confirm Logout';
export const logoutAbout = 'You will be signed out on this device. Uploads that are still running stop.';
export const logoutLoses = (count: number) =>
  `${count} ${plural(count, { one: 'file', other: 'files' })} shared from this phone ${plural(count, { one: 'is', other: 'are' })} not uploaded yet and will be removed from it.`;
export const logout = 'Logout';
export const account = 'Account';
export const theme = 'Theme';
export const lightTheme = 'Light theme';
export const darkTheme = 'Dark theme';
export const systemDefault = 'System default';
export const upgradeNow = 'Upgrade Now';
export const pro = 'PRO';

// resultLines.ts
export const allClients = 'All clients like this...';
export const moreResults = (n: number) =>
  plural(n, { one: 'And 1 more result...', other: 'And # more results...' });
export const filesAndFolders = 'Files and folders';
export const noResults = (query: string) => `No results for “${query}”.`;
export const searching = 'Searching...';

// useSearch.ts
export const searchUnreachable = 'The search is not available. Please try again.';
export const accountOf = (name: string) => `Account: ${name}`;
export const results = (n: number) => plural(n, { one: '1 result', other: '# results' });
/** A link below a client's name; screen readers get `filesOf` with the name. */
export const files = 'Files';

// The frame
export const skipToContent = 'Skip to content';
export const skipToList = 'Skip to the list';
export const mainNavigation = 'Main';
export const sidebar = 'Sidebar';
export const collapse = 'Collapse';
export const expand = 'Expand';

// pages/500.astro
export const pageFailed = 'This page could not be shown';
export const pageFailedAbout =
  'Something went wrong on our side. Nothing that was saved is lost. If it happens again, give your administrator this number.';
export const tryAgain = 'Try again';
export const goToDashboard = 'Go to the Dashboard';

// Filters of the search
export const filters: Record<'client' | 'type' | 'fy' | 'before' | 'after' | 'from', string> = {
  client: 'Client',
  type: 'Type',
  fy: 'Year',
  before: 'Before',
  after: 'After',
  from: 'From',
};
export const narrowBy = 'Narrow down by';
export const addFilter = (name: string) => `Add filter: ${name}`;
export const removeFilter = (name: string, value: string) => `Remove filter ${name}: ${value}`;
export const choices = 'Choices';
export const inThisFolder = 'In this folder';
export const filterNotes: Record<
  'client' | 'type' | 'fy' | 'before' | 'after' | 'from',
  (value: string) => string
> = {
  client: (value) => `No client is called “${value}”.`,
  type: (value) => `“${value}” is no type of document. Choose one from the list after type:`,
  fy: (value) => `“${value}” is no year. Write it as 2025-26.`,
  before: (value) => `“${value}” is no date. Write it as 2026-03-31 or 31-03-2026.`,
  after: (value) => `“${value}” is no date. Write it as 2026-03-31 or 31-03-2026.`,
  from: (value) => `“${value}” is neither a date nor a person of your firm.`,
};
