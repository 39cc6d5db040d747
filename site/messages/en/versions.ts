import { list, plural } from './language.ts';

export const title = 'Versions';
export const versionsOf = (name: string) => `Versions of “${name}”`;
export const loading = 'Loading versions';
export const loadFailed = 'The versions could not be loaded. Please try again.';
export const showAll = (n: number) => plural(n, { one: 'Show 1 version', other: 'Show all # versions' });

// VersionList.tsx
export const current = 'Current version';
export const earlier = 'Earlier versions';
export const none =
  'There are no earlier versions. When you upload a new version, or replace the file, what it holds now stays here.';
export const rule = (days: number, most: number) => {
  const all = plural(days, { one: '1 day', other: '# days' });
  if (most === 0) return `Earlier versions are kept for ${all}, and those kept forever.`;
  const last = plural(most, { one: 'the last one', other: 'the last one of each day, up to #' });
  return `All earlier versions are kept for ${all}, then ${last}. Those kept forever stay.`;
};
/** `why`: a sentence. */
export const allStay = (why: string) => `All earlier versions stay for now. ${why}`;
export const storageTaken = (bytes: string) => `They take ${bytes} of your storage.`;
export const compare = 'Compare contents';
export const stopComparing = 'Hide comparison';
export const same = 'Same content as now';
export const different = 'Different content';
export const sha256 = 'SHA-256';

// VersionRow.tsx
export const savedBy = (person: string, size: string) => `${person} · ${size}`;
export const replacedOn = (moment: string) => `Replaced ${moment}`;
export const restoredFrom = (moment: string) => `Restored from ${moment}`;
export const formerName = (name: string) => `Then called “${name}”`;
export const uploadedAs = (name: string) => `Uploaded as “${name}”`;
export const kept = (word: string) => `Kept forever: ${word}`;
export const preview = (moment: string) => `Preview the version of ${moment}`;
export const download = (moment: string) => `Download the version of ${moment}`;
export const more = (moment: string) => `More for the version of ${moment}`;
export const restore = 'Restore';
export const keep = 'Keep forever...';
export const changeKeepReason = 'Change the reason...';
export const stopKeeping = 'No longer keep forever';
export const deleteVersion = 'Delete version';

// Confirmations and results
export const restoreQuestion = 'Restore this version?';
export const restoreAbout = (name: string, moment: string) =>
  `“${name}” gets the content of ${moment} again. What it holds now stays as an earlier version.`;
export const restored = (name: string) => `“${name}” restored`;
export const restoreFailed = 'Failed to restore the version. Please try again.';
export const deleteQuestion = 'Delete this version?';
export const deleteAbout = (moment: string) =>
  `The content of ${moment} will be deleted. This action cannot be undone.`;
export const deleteKept = (word: string) => `It is kept forever: ${word}.`;
export const deleted = 'Version deleted';
export const deleteFailed = 'Failed to delete the version. Please try again.';
export const downloadFailed = 'Failed to download the version. Please try again.';
export const keepFailed = 'Failed to keep the version. Please try again.';
export const versionKept = 'Version kept forever';

// Undo of uploads that replaced files
export const replacedOne = (name: string) => `“${name}” replaced`;
export const replaced = (n: number) => plural(n, { one: '1 file replaced', other: '# files replaced' });
export const undoneOne = (name: string) => `“${name}” has its earlier content again`;
export const undone = (n: number) =>
  plural(n, {
    one: '1 file has its earlier content again',
    other: '# files have their earlier content again',
  });
export const notUndoneOne = (name: string) => `The upload over “${name}” was not undone`;
export const notUndone = (n: number) =>
  plural(n, { one: '1 upload was not undone', other: '# uploads were not undone' });
export const atTime = (time: string) => `at ${time}`;
export const onDay = (moment: string) => `on ${moment}`;
export const overtaken = (who: string, when: string) =>
  `${who} stored a newer version ${when}. Yours is now the newest; the other one is in the list of versions.`;
export const overtakenOf = (names: readonly string[], others: number) =>
  `Colleagues had stored newer versions of ${list(others > 0 ? [...names, moreFiles(others)] : names)}. Yours are now the newest; the others are in the lists of versions.`;
const moreFiles = (n: number) => plural(n, { one: '1 more', other: '# more' });
export const notUndoneBecause = (names: readonly string[], others: number, reason: string) =>
  `${list(others > 0 ? [...names, moreFiles(others)] : names)}: ${reason}`;
export const undoFailed = 'Failed to restore the earlier content. It is in the list of versions.';

// KeepDialog.tsx
export const keepTitle = 'Keep this version forever';
export const keepAbout = 'It is never deleted by itself, even when it is replaced. Say in a word or two why.';
export const keepReason = 'Why it is kept';
export const keepReasonRequired = 'Please say why it is kept';
export const keepAction = 'Keep forever';
export const sampleReason = 'as filed';

// VersionPreview.tsx
export const previewOf = (name: string, moment: string) => `Version of “${name}” of ${moment}`;
export const versionOf = (moment: string, person: string) => `Version of ${moment} · ${person}`;
