import * as v from 'valibot';

/** One thing that was done. Never put a password, a token or the content of a document in it. */
export interface AuditEntry {
  /** Who did it; or, where nobody is signed in, `firmId` and `userId` of the account concerned. */
  actor?: { firmId: number; userId: number } | undefined;
  firmId?: number | undefined;
  userId?: number | undefined;
  /** `module.verb`, such as `auth.sign_in`. */
  did: `${string}.${string}`;
  /** What it was done to, such as `item:17`. */
  subject?: string | undefined;
  detail?: Record<string, string | number | boolean | null | readonly (string | number | null)[]> | undefined;
  /** Left out, what the subject and the detail name. */
  concerns?: Concerns | undefined;
  /** Defaults to the address of the request that is being answered. */
  ip?: string | undefined;
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
}

export interface AuditPage {
  data: AuditView[];
  /** What to ask for next as `before`; null at the beginning of the history. */
  next: number | null;
}

const wholeNumber = (most: number) =>
  v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, 'A whole number'), v.transform(Number), v.maxValue(most));

export const auditQuery = v.object({
  before: v.optional(wholeNumber(Number.MAX_SAFE_INTEGER)),
  limit: v.optional(wholeNumber(200)),
});
export type AuditQuery = v.InferOutput<typeof auditQuery>;

const WORDS: Record<string, string> = {
  'auth.register': 'Registered',
  'auth.sign_in': 'Signed in',
  'auth.sign_in_refused': 'Sign-in refused',
  'auth.sign_in_barred': 'Sign-in outside work hours or office network',
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
  'auth.reset_asked': 'Requested a password reset by e-mail',
  'auth.reset_password': 'Reset the password by e-mail',
  'auth.let_in': 'Given access by the server administrator',
  'auth.two_step_on': 'Turned on two-step sign-in',
  'auth.two_step_off': 'Turned off two-step sign-in',
  'auth.recovery_codes_renewed': 'Created new recovery codes',
  'access.assign': 'Changed which clients a person sees',
  'access.people': 'Changed who works on a client',
  'export.everything': 'Downloaded everything',
  'export.history': 'Downloaded the history',
  'history.take_out': 'Removed old history',
  'document.upload': 'Uploaded',
  'document.download': 'Downloaded',
  'document.download_refused': 'Download refused: daily limit reached',
  'document.folder': 'Created a folder',
  'document.rename': 'Renamed',
  'document.replace': 'Replaced, and kept under another name',
  'document.move': 'Moved',
  'document.delete': 'Deleted',
  'document.trash': 'Moved to Trash',
  'document.restore': 'Restored from Trash',
  'document.delete_forever': 'Deleted forever',
  'document.expire': 'Deleted forever, after its time in Trash',
  'document.client': 'Linked to a client',
  'archive.extract': 'Extracted an archive',
  'subscription.grant': 'Was given a plan',
  'client.create': 'Added a client',
  'client.update': 'Changed a client',
  'client.delete': 'Deleted a client',
  'client.import': 'Imported clients',
  'client.export': 'Exported the clients',
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
  'subscription.trial': 'Started the trial',
  'payments.order': 'Began a payment',
  'payments.paid': 'Paid',
  'payments.refunded': 'Was refunded',
  'payments.unverified': 'Payment not confirmed',
  'invoices.details': 'Changed the billing details',
};

/** `document.create_folder` reads `Document: create folder` until it has words of its own. */
export function auditWords(did: string): string {
  const [module = '', verb = ''] = did.split('.');
  return WORDS[did] ?? `${module.charAt(0).toUpperCase()}${module.slice(1)}: ${verb.replaceAll('_', ' ')}`;
}
