import { plural } from './language.ts';

export const loadFailed = 'Failed to load the documents under retention rules.';
export const failed = 'Failed to do this. Please try again.';

// Rules
export const rules = 'Rules';
export const newRule = 'New rule';
export const noRules = 'No retention rules yet';
export const noRulesYet =
  'A rule says how long documents are kept. Until then nobody can delete them, and afterwards only by a destruction that somebody confirms here.';
export const edit = 'Edit';
export const remove = 'Remove...';
export const editRule = (name: string) => `Edit ${name}`;
export const removeRule = (name: string) => `Remove ${name}`;
export const onlyWhoSeesAll = 'Only somebody who sees all clients can change the rules.';
export const appliesTo = {
  everything: 'All documents',
  client_type: 'Clients of a type',
  folder: 'A folder and what it holds',
  label: 'What has a label, or lies in a folder that has it',
};
export const appliesToNamed = {
  everything: 'All documents',
  client_type: (type: string) => `Clients of type ${type}`,
  folder: (name: string) => `Folder ${name}`,
  label: (name: string) => `Label ${name}`,
  gone: 'What it applied to is no longer there',
};
export const countsFrom = {
  put_in: 'the date of upload',
  year_end: 'the end of the financial year of the upload',
  said_day: 'a date that you enter, such as that of the report',
};
export const years = (n: number) => plural(n, { one: '1 year', other: '# years' });
export const months = (n: number) => plural(n, { one: '1 month', other: '# months' });
export const periodFrom = (period: string, from: string) => `${period} from ${from}`;
export const keepsFiles = (n: number, size: string) =>
  plural(n, { one: `Keeps 1 file, ${size}`, other: `Keeps # files, ${size}` });
export const ranOut = (n: number) => plural(n, { one: '1 past retention', other: '# past retention' });
export const withoutDay = (n: number) => plural(n, { one: '1 needs a date', other: '# need a date' });

// RuleDialog.tsx
export const addTitle = 'New retention rule';
export const changeTitle = (name: string) => `Edit “${name}”`;
export const preset = 'Start from';
export const ownRule = 'A rule of your own';
export const presetCheck =
  'A suggestion, and not legal advice: check the law as it stands, and your case, before you rely on it.';
export const name = 'Name';
export const scope = 'Applies to';
export const clientType = 'Client type';
export const chooseClientType = 'Choose a client type';
export const label = 'Label';
export const chooseLabel = 'Choose a label';
export const noLabels =
  'There are no labels yet. Make the first one in the drive: choose Labels in the menu of a folder or file.';
export const folder = 'Folder';
export const chooseFolder = 'Choose a folder...';
export const folderChosen = (folder: string) => `Choose “${folder}”`;
export const folderRequired = 'Choose a folder';
export const keepFor = 'Keep for';
export const unit = 'Unit';
export const inYears = 'years';
export const inMonths = 'months';
export const periodRequired = 'Enter a whole number from 1';
export const from = 'Counted from';
export const fromHint =
  'It is the date of upload, unless another date is entered in the details of the file or a folder above it.';
export const source = 'Source';
export const sourceHint = 'The law or the reason, so that others know why';
export const nameRequired = 'Enter a name for the rule';
export const add = 'Add rule';
export const save = 'Save';
export const saveFailed = 'Failed to save the rule. Please try again.';
export const keepQuestion = (n: number, period: string) =>
  plural(n, { one: `Keep 1 file for ${period}?`, other: `Keep # files for ${period}?` });
export const keepAbout =
  'The rule applies to them now. Until its period is over nobody can delete them forever.';
export const added = (name: string) => `Rule “${name}” added`;
export const changed = (name: string) => `Rule “${name}” changed`;

// Removing
export const removeTitle = (name: string) => `Remove the rule “${name}”?`;
export const removeAbout =
  'It keeps nothing from then on, and what no other rule keeps can be deleted by everyone who may delete. The history keeps who removed it, when and why.';
export const removeReason = 'Why is it removed?';
export const removeReasonRequired = 'Enter why the rule is removed';
export const doRemove = 'Remove rule';
export const removed = (name: string) => `Rule “${name}” removed`;

/** Suggested rules; they paraphrase the law. */
export const presets = {
  audit: {
    name: 'Audit file',
    source:
      'SA 230 and SQC 1 (SQM 1 from 1 Apr 2026): engagement papers at least 7 years from the date of the auditor’s report, of a group report if that is later.',
  },
  company: {
    name: 'Books of a company',
    source:
      'Companies Act 2013, section 128(5): books of account and vouchers at least 8 financial years. Longer where the government directs so.',
  },
  tax: {
    name: 'Books for income tax',
    source:
      'Income-tax Rules 2026, rule 46 (earlier rule 6F): 7 tax years from the end of the tax year. Longer where an assessment is reopened.',
  },
  gst: {
    name: 'GST records',
    source:
      'CGST Act 2017, section 36: 72 months from the due date of the annual return, taken as 31 December after the year. With an appeal or investigation, a year after it ends.',
  },
};

// KeptList.tsx
export const documents = 'Documents under a rule';
export const states = {
  kept: 'Kept',
  run_out: 'Retention ended',
  undated: 'Date missing',
};
export const state = 'Show';
export const allRules = 'All rules';
export const rule = 'Rule';
export const search = 'Search by name';
export const none = {
  kept: 'No documents are kept by a rule',
  run_out: 'No retention period has ended',
  undated: 'No document needs a date',
};
export const noneAbout = {
  kept: 'Documents appear here as soon as a rule applies to them.',
  run_out:
    'When the retention period of a document has ended it appears here, and you decide whether it is destroyed.',
  undated:
    'Documents whose rule counts from a date that you enter appear here until you enter it in their details.',
};
export const noMatch = 'No document matches these filters.';
export const files = (n: number) => plural(n, { one: '1 file', other: '# files' });
export const until = (day: string) => `until ${day}`;
export const ranOutOnDay = (day: string) => `ended on ${day}`;
export const noDay = 'no date entered';
export const held = 'Legal hold';
export const sealed = 'Sealed';
/** What tells a file from others of its name, for screen readers. */
export const fileAt = (name: string, place: string, day: string) => `${name}, ${place}, ${day}`;
export const choose = (file: string) => `Choose ${file}`;
export const chooseAll = 'Choose all whose retention has ended';
export const chooseNone = 'Choose none';
export const more = 'Show more';
export const chosen = (n: number) => plural(n, { one: '1 chosen', other: '# chosen' });
export const destroy = 'Destroy...';
export const tooMany = 'The first 20,000 are chosen. Destroy these first, then the rest.';

// DestroyDialog.tsx
export const destroyTitle = (n: number) => plural(n, { one: 'Destroy 1 file?', other: 'Destroy # files?' });
export const destroyAbout = (size: string) =>
  `They are deleted with all their earlier versions, ${size} now, and do not go to Trash. This action cannot be undone.`;
export const destroyStill =
  'A certificate lists each file with its place, size and SHA-256, and says who confirmed and why. It stays. Backups keep the files until those are deleted in their turn.';
export const destroyReason = 'Reason';
export const destroyReasonHint = 'Such as ‘Retention period has ended, client informed on Apr 3, 2026’';
export const destroyReasonRequired = 'Enter why they are destroyed';
export const doDestroy = (n: number) => plural(n, { one: 'Destroy 1 file', other: 'Destroy # files' });
export const destroyFailed = 'Failed to confirm the destruction. Nothing was destroyed.';
export const confirmed = 'Destruction confirmed. The certificate appears below once it has ended.';

// Certificates.tsx
export const certificates = 'Certificates of destruction';
export const noCertificates = 'Nothing has been destroyed so far.';
export const certificate = (n: string) => `Certificate ${n}`;
export const destroyedFiles = (n: number, size: string) =>
  plural(n, { one: `1 file, ${size}`, other: `# files, ${size}` });
export const filesStayed = (n: number) => plural(n, { one: '1 file stayed', other: '# files stayed' });
export const beingDestroyed = (n: number) =>
  plural(n, { one: '1 file is being destroyed...', other: '# files are being destroyed...' });
export const by = (who: string, when: string) => `${who}, ${when}`;
export const downloadPdf = 'Download PDF';
export const downloadOf = (n: string) => `Download certificate ${n} as PDF`;

// Details
export const keptUntil = 'Kept until';
export const notBeforeDay = 'a date is entered';
export const ranOutOn = 'Ended on';
export const eachFile = 'each file has its own date';
export const otherRules = 'Also';
export const countedFrom = 'Counts from';
export const dayOfFolder = (day: string) => `${day}, entered for a folder above`;
export const enteredBy = (who: string, when: string) => `Entered by ${who} on ${when}`;
export const exempt = 'Taken out of the rules';
export const exemptOfFolder = 'with a folder above';
export const enterDay = 'Enter date...';
export const takeOut = 'Take out of the rules...';
export const putBack = 'Put back under the rules';
export const dayTitle = (name: string) => `From which date does retention of “${name}” count?`;
export const dayAbout =
  'Such as the date of the auditor’s report, or a date in the year to which old papers belong. It replaces the date of upload; that of a folder applies to everything in it. Leave it empty to remove the date.';
export const day = 'Date';
export const dayFailed = 'Failed to save the date. Please try again.';
export const daySaved = 'Date saved';
export const takeOutTitle = (name: string) => `Take “${name}” out of the retention rules?`;
export const takeOutAbout =
  'For what is no record, such as something uploaded by mistake: no rule keeps it from then on, of a folder nothing that it holds, and it can be deleted. The history keeps who did so, and why.';
export const takeOutReason = 'Why do the rules not apply?';
export const takeOutReasonRequired = 'Enter why the rules do not apply';
export const doTakeOut = 'Take out';
export const takenOut = 'Taken out of the retention rules';
