import { plural } from './language.ts';

// ExtractionRow.tsx
export const extracting = (name: string) => `Extracting ${name}`;
export const retry = (name: string) => `Retry ${name}`;
export const removeFromList = (name: string) => `Remove ${name} from the list`;
export const cancelNamed = (name: string) => `Cancel ${name}`;
export const openFolder = 'Open folder';
export const enterPassword = 'Enter password';
export const showSkipped = 'Show what was skipped';

// PasswordDialog.tsx
export const passwordRequired = 'Enter the password';
export const locked = 'This ZIP is password protected';
export const passwordOf = (name: string) => `Enter the password of ${name}. It is used once and not kept.`;

// SkippedDialog.tsx
export const skippedIn = (name: string) => `Skipped in ${name}`;

// extractions.ts
export const startFailed = 'Failed to start ZIP extraction. Please try again.';

// heading.ts
export const extractingZips = (n: number) =>
  plural(n, { one: 'Extracting 1 ZIP file', other: 'Extracting # ZIP files' });
export const failed = (n: number) => plural(n, { one: '1 extraction failed', other: '# extractions failed' });
export const passwordNeeded = 'A password is needed';
export const cancelled = 'Extraction cancelled';
export const complete = 'Extraction complete';

// store.ts
export const statusFailed = 'Failed to get extraction status';
export const cancelling = 'Cancelling...';
