import { plural } from '#server/text/plural.ts';

/** Texts about shared links in e-mails and titles, for people outside the firm. */
export const en = {
  items: (n: number) => plural('en', n, { one: '1 item', other: '# items' }),
  documents: (n: number) => plural('en', n, { one: '1 document', other: '# documents' }),
  andMore: (name: string, n: number) =>
    `${name} ${plural('en', n, { one: 'and 1 more', other: 'and # more' })}`,

  hello: 'Hello,',
  linkSubject: (firm: string, what: string) => `${firm} has shared ${what} with you`,
  linkFrom: (name: string, firm: string, what: string) => `${name} of ${firm} has shared ${what} with you.`,
  open: 'Open',
  proves: 'To open it, give this e-mail address. A code is then sent to it.',
  password: (name: string) => `It asks for a password, which ${name} will tell you.`,
  until: 'Available until',
  questions: (name: string, email: string) => `Questions? Write to ${name} at ${email}.`,

  codeSubject: (code: string, firm: string) => `${code} is your code to open what ${firm} has shared`,
  codeEnter: (code: string) => `Enter this code on the page that asked for it: ${code}`,
  codeGood: 'It is good for 10 minutes, in the browser where you asked for it.',
  codeNotAsked: 'If you did not ask for it, you need do nothing. Tell nobody the code.',
};
