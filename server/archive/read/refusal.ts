export type RefusalCode =
  | 'damaged'
  | 'password_needed'
  | 'wrong_password'
  | 'unreadable'
  | 'unsafe'
  | 'too_many'
  | 'too_deep'
  | 'nothing';

/** An archive cannot be unpacked. The message tells the user what is wrong and what to do. */
export class ArchiveRefused extends Error {
  override name = 'ArchiveRefused';
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** `what` completes "This ZIP is damaged: …" and names the entry, if there is one. */
export const damaged = (what: string, cause?: unknown): ArchiveRefused =>
  new ArchiveRefused('damaged', `This ZIP is damaged: ${what}. Ask the sender for it again.`, { cause });

export const passwordNeeded = (): ArchiveRefused =>
  new ArchiveRefused(
    'password_needed',
    'This ZIP is password protected. Enter its password, or unpack it on your computer and upload the files.',
  );

export const wrongPassword = (): ArchiveRefused =>
  new ArchiveRefused(
    'wrong_password',
    'This password does not open the ZIP. Check capital letters and digits, then try again.',
  );

export const unsafe = (what: string): ArchiveRefused =>
  new ArchiveRefused(
    'unsafe',
    `This ZIP was not unpacked because ${what}. Ask the sender for an ordinary ZIP.`,
  );

/** Quotes a name from an archive for a message: without control characters, and shortened. */
export function shown(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '_');
  return `"${plain.length > 120 ? `${plain.slice(0, 119)}…` : plain}"`;
}
