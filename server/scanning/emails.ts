import type { Sending } from '#server/mail/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';

interface Recipient {
  admin: { name: string; email: string };
  firm: string;
  firmId: number;
  baseUrl: string;
}

const quarantineEmail = (
  { admin, firm, firmId, baseUrl }: Recipient,
  subject: string,
  paragraphs: Sending['email']['parts'],
): Sending => ({
  to: admin,
  firm,
  firmId,
  kind: 'scanning.held',
  email: {
    subject,
    parts: [
      `Dear ${admin.name},`,
      ...paragraphs,
      { action: 'See what is held back', href: `${baseUrl}/quarantine` },
    ],
  },
});

/** To each admin, when a virus is found. */
export const virusEmail = (to: Recipient, file: { name: string; found: string }): Sending =>
  quarantineEmail(to, `A virus was found in ${file.name}`, [
    'The virus scanner has found something in a file that came in. Nobody can open the file.',
    {
      facts: [
        ['File', file.name],
        ['Found', file.found],
      ],
    },
  ]);

/** To each admin, when a received file is a program. */
export const programEmail = (to: Recipient, file: { name: string; found: string }): Sending =>
  quarantineEmail(to, `${file.name} is a program and is held back`, [
    'A file that came in is a program, whatever its name says. Nobody can open the file.',
    {
      facts: [
        ['File', file.name],
        ['It is', file.found],
      ],
    },
  ]);

/** To each admin, when a file is larger than the scanner accepts: it waits until one of them decides. */
export const tooLargeEmail = (to: Recipient, file: { name: string; bytes: number }): Sending =>
  quarantineEmail(to, `${file.name} is too large for the virus scanner and is held back`, [
    'A file that came in is larger than the virus scanner accepts. Nobody can open the file until an admin has released it. ' +
      'If you do not expect it, delete it and ask for smaller files.',
    {
      facts: [
        ['File', file.name],
        ['Size', formatBytes(file.bytes)],
      ],
    },
  ]);

/** To each admin, when the scanner does not respond. */
export const scannerDownEmail = (to: Recipient, files: number): Sending =>
  quarantineEmail(to, 'Files are held back: the virus scanner does not answer', [
    `${files === 1 ? 'A file that came in waits' : `${files} files that came in wait`} for the virus scanner, which does not answer. ` +
      'They are looked at by themselves as soon as it is there again. Ask whoever runs the server to look at CLAMD_URL and clamd.',
  ]);
