import type { Sending } from '#server/mail/contract.ts';

interface To {
  admin: { name: string; email: string };
  firm: string;
  firmId: number;
  baseUrl: string;
}

const sending = (
  { admin, firm, firmId, baseUrl }: To,
  subject: string,
  says: Sending['email']['parts'],
): Sending => ({
  to: admin,
  firm,
  firmId,
  kind: 'scanning.held',
  email: {
    subject,
    parts: [
      `Dear ${admin.name},`,
      ...says,
      { action: 'See what is held back', href: `${baseUrl}/quarantine` },
    ],
  },
});

/** To each admin, when a virus was found. */
export const foundEmail = (to: To, file: { name: string; found: string }): Sending =>
  sending(to, `A virus was found in ${file.name}`, [
    'The virus scanner has found something in a file that came in. Nobody can open the file.',
    {
      facts: [
        ['File', file.name],
        ['Found', file.found],
      ],
    },
  ]);

/** To each admin, when what came in is a program. */
export const programEmail = (to: To, file: { name: string; found: string }): Sending =>
  sending(to, `${file.name} is a program and is held back`, [
    'A file that came in is a program, whatever its name says. Nobody can open the file.',
    {
      facts: [
        ['File', file.name],
        ['It is', file.found],
      ],
    },
  ]);

/** To each admin, when the scanner cannot look at what comes in. */
export const awayEmail = (to: To, files: number): Sending =>
  sending(to, 'Files are held back: the virus scanner does not answer', [
    `${files === 1 ? 'A file that came in waits' : `${files} files that came in wait`} for the virus scanner, which does not answer. ` +
      'They are looked at by themselves as soon as it is there again. Ask whoever runs the server to look at CLAMD_URL and clamd.',
  ]);
