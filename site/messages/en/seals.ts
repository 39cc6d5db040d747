import { plural } from './language.ts';

// SealBadge.tsx, SealBanner.tsx
export const sealed = 'Sealed';
export const sealedBy = (who: string, day: string) => `Sealed by ${who} on ${day}`;
export const sealedFor = (who: string, day: string, reason: string) =>
  `Sealed by ${who} on ${day}: ${reason}`;
export const nothingChanges = 'Nothing in this folder can be changed, added or deleted.';
export const details = 'Details';

// ItemMenu.tsx, SealDialog.tsx
export const seal = 'Seal...';
export const sealDetails = 'Sealed: details...';
export const sealOne = (name: string) => `Seal “${name}”`;
export const whatSealing = {
  file: 'Nobody, not even an admin, can rename, move, replace or delete this file from then on.',
  folder:
    'Nobody, not even an admin, can rename, move, replace or delete anything in this folder, or add to it, from then on.',
  still:
    'Opening, previewing and downloading stay possible, and so do labels and notes. Only an admin can break the seal, with a password and a reason. Both go into the history.',
};
export const reason = 'Reason';
export const reasonHint = 'Everyone who sees the documents sees it: ‘Audit report signed on 3 Apr 2026’';
export const reasonRequired = 'Enter why it is sealed';
export const doSeal = 'Seal';
export const sealFailed = 'Failed to seal. Please try again.';
export const wasSealed = (name: string) => `“${name}” sealed`;

// SealDetails
export const sealOf = (name: string) => `Seal of “${name}”`;
export const sealedWith = (name: string) => `It was sealed together with the folder “${name}”.`;
export const sealedWithUnseen = 'It was sealed together with a folder that you do not see.';
export const by = 'Sealed by';
export const at = 'Sealed on';
export const covers = 'Under the seal';
export const coversFiles = (n: number, size: string) =>
  plural(n, { one: `1 file, ${size}`, other: `# files, ${size}` });
export const digest = 'SHA-256 of the list';
export const stillPossible = 'Stays possible';
export const stillPossibleActions = 'Opening, downloading, labels and notes';
export const check = 'Check now';
export const isIntact = 'Every file is as it was when it was sealed.';
export const isChanged =
  'The files are not those that were sealed. Ask your administrator to run "npm run admin -- verify".';
export const checkFailed = 'Failed to check. Please try again.';
export const loadFailed = 'Failed to load the seal.';
export const breakSeal = 'Break the seal...';
export const breakOnOtherFolder = 'The seal can be broken on that folder only.';
export const askAdmin = 'Only an admin can break the seal.';
export const brokenBefore = (who: string, day: string, why: string) =>
  `An earlier seal was broken by ${who} on ${day}: ${why}`;

// Breaking
export const breakTitle = (name: string) => `Break the seal of “${name}”?`;
export const breakAbout =
  'The documents can be changed and deleted again by everyone who may do that. The history keeps who broke the seal, when and why.';
export const breakReason = 'Why is the seal broken?';
export const breakReasonRequired = 'Enter why the seal is broken';
export const doBreak = 'Break the seal';
export const breakFailed = 'Failed to break the seal. Please try again.';
export const wasBroken = (name: string) => `Seal of “${name}” broken`;
