import * as v from 'valibot';
import type { Actor, Recipient } from '#server/actor.ts';
import { isCalendarDay } from '#server/text/calendar-day.ts';

/** One thing that was done. Never put a password, a token or the content of a document in it. */
export interface AuditEntry {
  /** Who did it; or, where nobody is signed in, `firmId` and `userId` of the account concerned. */
  actor?:
    | {
        firmId: number;
        userId: number;
        /** Left out where no session belongs to it. */
        sessionId?: Actor['sessionId'];
        ip?: Actor['ip'];
        recipient?: Pick<Recipient, 'name' | 'linkId' | 'door'> & Partial<Pick<Recipient, 'visitor'>>;
        /** The app password by which a program did it. */
        app?: { name: string };
        /** The connected program that did it: what its computer is called. */
        program?: { name: string };
      }
    | undefined;
  firmId?: number | undefined;
  userId?: number | undefined;
  /** `module.verb`, such as `auth.sign_in`. */
  did: `${string}.${string}`;
  /** What it was done to, such as `item:17`. */
  subject?: string | undefined;
  detail?: Record<string, string | number | boolean | null | readonly (string | number | null)[]> | undefined;
  /** Left out, what the subject and the detail name. */
  concerns?: Concerns | undefined;
  /** Defaults to the address of the request that is being answered, or that has added the job. */
  ip?: string | undefined;
  /** What of the subject a user looks at: the SHA-256 of its content, and the part. Not stored; it tells viewings apart. */
  content?: string | undefined;
}

/** Which things an entry is about: by this the history is filtered, and screens that show them are told. */
export interface Concerns {
  items?: readonly number[];
  /** To whom they belong, and belonged until now; null for nobody. Left out, the items' nearest clients. */
  clients?: readonly (number | null)[];
  /** Folders whose contents are no longer the same; null is 'My Drive'. */
  parents?: readonly (number | null)[];
}

/** One line of the history as the firm reads it. */
export interface AuditView {
  id: number;
  /** ISO 8601, UTC. */
  at: string;
  did: string;
  /** In words: `Signed in`. */
  what: string;
  /** Null when nobody was signed in. */
  who: string | null;
  /** What it was about, by name: `Form 16.pdf: My Drive → Sharma / ITR`. Empty when the words say all. */
  about: string;
  subject: string | null;
  detail: Record<string, unknown>;
  ip: string | null;
  /** From where, in words: `Office network (192.168.1.7)`. Null for what nobody asked for by a browser. */
  place: string | null;
  /** `Firefox on Windows`; null where it was not noted. */
  browser: string | null;
  /** The item that it was about, if that was one and is still there. */
  item: { id: number; parent_id: number | null; type: 'file' | 'folder' } | null;
  /** The client whose things it was about, if that was one and is still there. */
  client: NamedId | null;
}

export interface NamedId {
  id: number;
  name: string;
}

export interface AuditPage {
  data: AuditView[];
  /** What to ask for next as `before`; null at the beginning of the history. */
  next: number | null;
  /** What the filters are called now, each null where its id names nothing that is there. */
  names: { person?: string | null; client?: string | null; item?: string | null };
}

const starting =
  (...modules: string[]) =>
  (did: string) =>
    modules.some((module) => did.startsWith(`${module}.`));
const among = (dids: string) => (did: string) => dids.split(' ').includes(did);
const READING = among(
  'document.download document.download_refused client.export field.export export.everything export.history',
);
const ADDING = among(
  'document.upload document.new_version document.folder document.save_attachments archive.extract template.apply',
);

/** The kinds of events to filter by. What is deleted, or read, belongs to its thing as well. */
const KINDS = {
  added: ADDING,
  changed: (did: string) =>
    starting(
      'document',
      'archive',
      'filing',
      'note',
      'field',
      'label',
      'template',
      'retention',
      'scanning',
    )(did) &&
    !READING(did) &&
    !ADDING(did),
  deleted: (did: string) =>
    /\.(?:delete|delete_forever|expire|delete_version|thin_versions|trash|take_out|destroy)$/.test(did),
  read: READING,
  shared: starting('share', 'request', 'drop', 'portal'),
  clients: starting('client'),
  sign_in: starting('auth'),
  team: starting('team', 'access', 'firm', 'backups'),
  billing: starting('subscription', 'payments', 'invoices'),
} as const satisfies Record<string, (did: string) => boolean>;
export type AuditKind = keyof typeof KINDS;
export const AUDIT_KINDS = Object.keys(KINDS) as AuditKind[];

/** Whether an event such as `document.rename` is of the kind. */
export const isOfKind = (did: string, kind: AuditKind): boolean => KINDS[kind](did);

const wholeNumber = (most: number) =>
  v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, 'A whole number'), v.transform(Number), v.maxValue(most));

const id = (message: string) =>
  v.optional(v.pipe(v.string(message), v.regex(/^[1-9]\d{0,14}$/, message), v.transform(Number)));
const NO_DATE = 'Give a date as year-month-day';
const day = v.optional(
  v.pipe(
    v.string(NO_DATE),
    v.regex(/^(?:19|20|21)\d{2}-\d{2}-\d{2}$/, NO_DATE),
    v.check(isCalendarDay, 'This is not a date'),
  ),
);

export const auditFilters = v.object({
  person: id('Choose a person from the list'),
  client: id('Choose a client from the list'),
  /** With what it holds, if it is a folder. */
  item: id('Choose a file or folder'),
  kind: v.optional(v.picklist(AUDIT_KINDS, 'Choose a kind from the list')),
  /** Days in India, both included. */
  from: day,
  to: day,
});
export type AuditFilters = Partial<v.InferOutput<typeof auditFilters>>;

export const auditQuery = v.object({
  ...auditFilters.entries,
  before: v.optional(wholeNumber(Number.MAX_SAFE_INTEGER)),
  limit: v.optional(wholeNumber(200)),
});
export type AuditQuery = Partial<v.InferOutput<typeof auditQuery>>;

const WORDS: Record<string, string> = {
  'auth.register': 'Registered',
  'auth.sign_in': 'Signed in',
  'auth.sign_in_refused': 'Sign-in refused',
  'auth.sign_in_barred': 'Sign-in of a deactivated user, or outside work hours or office network',
  'auth.code_asked': 'Password accepted, code requested',
  'auth.code_refused': 'Sign-in code refused',
  'auth.sign_out': 'Signed out',
  'auth.sign_out_all': 'Signed out on all devices',
  'auth.sign_out_others': 'Signed out on all other devices',
  'auth.sign_out_device': 'Signed out a device',
  'auth.update_profile': 'Changed the profile',
  'auth.change_password': 'Changed the password',
  'auth.email_asked': 'Requested a new e-mail address',
  'auth.email_changed': 'Changed the e-mail address',
  'auth.password_refused': 'Current password refused',
  'auth.reset_asked': 'Requested a password reset',
  'auth.reset_password': 'Reset a forgotten password',
  'auth.let_in': 'Given access by the server administrator',
  'auth.two_step_on': 'Turned on two-step sign-in',
  'auth.two_step_off': 'Turned off two-step sign-in',
  'auth.not_me': 'Reported a sign-in as not their own',
  'auth.passkey_added': 'Added a passkey',
  'auth.passkey_renamed': 'Renamed a passkey',
  'auth.passkey_removed': 'Removed a passkey',
  'auth.passkey_refused': 'Passkey refused',
  'auth.app_password': 'Created an app password',
  'auth.app_password_ended': 'Ended an app password',
  'auth.program_connected': 'Connected a program',
  'auth.program_ended': 'Disconnected a program',
  'auth.recovery_codes_renewed': 'Created new recovery codes',
  'access.assign': 'Changed which clients a person sees',
  'access.people': 'Changed who works on a client',
  'export.everything': 'Downloaded everything',
  'export.history': 'Downloaded the history',
  'history.take_out': 'Removed old history',
  'document.upload': 'Uploaded',
  'document.save_attachments': 'Saved the attachments of',
  'document.download': 'Downloaded',
  'document.unlock': 'Entered the password of',
  'document.read_again': 'Had the text read again',
  'document.pause_reading': 'Paused the reading of documents',
  'document.resume_reading': 'Resumed the reading of documents',
  'document.download_refused': 'Download refused: daily limit reached',
  'document.folder': 'Created a folder',
  'document.rename': 'Renamed',
  'document.replace': 'Replaced, and kept under another name',
  'document.new_version': 'Uploaded a new version',
  'document.restore_version': 'Restored an earlier version',
  'document.delete_version': 'Deleted an earlier version',
  'document.keep_version': 'Kept a version forever',
  'document.release_version': 'No longer keeps a version forever',
  'document.thin_versions': 'Deleted earlier versions, after their time',
  'filing.file': 'Organised documents',
  'filing.by_itself': 'Organised automatically',
  'filing.undo': 'Undid organising documents',
  'filing.pattern': 'Changed how organised documents are named',
  'filing.inbox': 'Changed whether a folder is an inbox',
  'document.move': 'Moved',
  'document.delete': 'Deleted',
  'document.trash': 'Moved to Trash',
  'document.restore': 'Restored from Trash',
  'document.delete_forever': 'Deleted forever',
  'document.expire': 'Deleted forever, after its time in Trash',
  'document.clock_ahead': 'Deletions by age wait: the clock of the server jumped',
  'document.client': 'Linked to a client',
  'document.seal': 'Sealed',
  'document.break_seal': 'Broke the seal',
  'retention.add_rule': 'Added a retention rule',
  'retention.change_rule': 'Changed a retention rule',
  'retention.remove_rule': 'Removed a retention rule',
  'retention.day': 'Entered the date from which retention counts',
  'retention.exempt': 'Took out of the retention rules',
  'retention.apply': 'Put back under the retention rules',
  'retention.confirm': 'Confirmed a destruction',
  'retention.destroy': 'Destroyed, after its time under a retention rule',
  'retention.certify': 'Made the certificate of a destruction',
  'archive.extract': 'Extracted an archive',
  'field.correct': 'Corrected what was read',
  'field.confirm': 'Confirmed what was read',
  'field.clear': 'Cleared what was read',
  'field.take_back': 'Took back a correction of what was read',
  'field.export': 'Downloaded what was read',
  'label.put': 'Labelled',
  'label.take': 'Took a label off',
  'label.create': 'Created a label',
  'label.update': 'Changed a label',
  'label.delete': 'Deleted a label',
  'note.add': 'Added a note',
  'note.edit': 'Changed a note',
  'note.delete': 'Deleted a note',
  'subscription.grant': 'Was given a plan',
  'client.create': 'Added a client',
  'client.update': 'Changed a client',
  'client.delete': 'Deleted a client',
  'client.hold': 'Placed a legal hold',
  'client.lift_hold': 'Lifted a legal hold',
  'client.import': 'Imported clients',
  'client.export': 'Exported the clients',
  'backups.recovery_sheet': 'Saved the recovery sheet of the server',
  'backups.run': 'Made a backup of the server',
  'team.invite': 'Invited',
  'team.invite_again': 'Sent an invitation again',
  'team.revoke': 'Revoked an invitation',
  'team.join': 'Accepted an invitation',
  'team.change': 'Changed what a person may do',
  'team.download_limit': 'Reached the daily download limit',
  'team.deactivate': 'Deactivated a person',
  'team.reactivate': 'Reactivated a person',
  'team.hand_over': 'Handed over documents',
  'team.two_step_required': 'Required two-step sign-in of everyone',
  'team.two_step_free': 'No longer requires two-step sign-in',
  'template.create': 'Added a folder template',
  'template.update': 'Changed a folder template',
  'template.delete': 'Deleted a folder template',
  'template.apply': 'Created folders from a template',
  'share.create': 'Shared by a link',
  'share.change': 'Changed a shared link',
  'share.renew': 'Gave a shared link a new address',
  'share.send': 'Sent a shared link by e-mail',
  'share.revoke': 'Revoked a shared link',
  'share.open': 'Opened a shared link',
  'share.refused': 'Password or code of a shared link refused',
  'drop.create': 'Gave a client a drop link',
  'drop.change': 'Changed a drop link',
  'drop.renew': 'Gave a drop link a new address',
  'drop.revoke': 'Revoked a drop link',
  'drop.received': 'Received by a drop link',
  'portal.create': 'Created a client page',
  'portal.change': 'Changed who opens a client’s page',
  'portal.send': 'Sent a client’s page by e-mail',
  'portal.renew': 'Gave a client’s page a new address',
  'portal.revoke': 'Ended a client’s page',
  'portal.open': 'Opened their own page',
  'portal.refused': 'Code or address for a client’s page refused',
  'scanning.infected': 'Found a virus in a file',
  'scanning.program': 'Held back a program',
  'scanning.too_large': 'File too large for the virus scanner',
  'scanning.release': 'Released a file that was held back',
  'scanning.delete': 'Deleted a file that was held back',
  'firm.logo': 'Changed the logo',
  'firm.logo_removed': 'Removed the logo',
  'share.settings': 'Changed the settings of sharing',
  'request.create': 'Asked a client for documents',
  'request.change': 'Changed a request for documents',
  'request.link': 'Copied the link of a request',
  'request.renew': 'Gave a request a new address',
  'request.remind': 'Reminded a client of a request',
  'request.tell': 'Told a client what was sent back',
  'request.open': 'Opened a request for documents',
  'request.received': 'Received for a request',
  'request.taken_back': 'Took back a file sent for a request',
  'request.unavailable': 'Said that a document is not available',
  'request.receipt': 'Received a receipt for a request',
  'request.accept': 'Accepted what came for a request',
  'request.return': 'Sent back what came for a request',
  'request.accept_file': 'Accepted a file that came for a request',
  'request.return_file': 'Sent back a file that came for a request',
  'request.reopen_file': 'Took back the judgement of a file of a request',
  'request.reopen': 'Reopened a request for documents',
  'request.close': 'Closed a request for documents',
  'request.delete': 'Deleted a request for documents',
  'request.infected': 'Refused a file with a virus',
  'request.save_template': 'Saved a template of requests',
  'request.delete_template': 'Deleted a template of requests',
  'subscription.trial': 'Started the trial',
  'payments.order': 'Began a payment',
  'payments.paid': 'Paid',
  'payments.refunded': 'Was refunded',
  'payments.unverified': 'Payment not confirmed',
  'invoices.details': 'Changed the billing details',
};

/** Every event that has words of its own. */
export const AUDIT_EVENTS = Object.keys(WORDS);

/** `document.create_folder` reads `Document: create folder` until it has words of its own. */
export function auditWords(did: string): string {
  const [module = '', verb = ''] = did.split('.');
  return WORDS[did] ?? `${module.charAt(0).toUpperCase()}${module.slice(1)}: ${verb.replaceAll('_', ' ')}`;
}
