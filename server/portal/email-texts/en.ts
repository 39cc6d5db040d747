/** What clients read of their page, in e-mails. */
export const en = {
  hello: 'Hello,',
  linkSubject: (firm: string) => `Your page at ${firm}`,
  linkFrom: (name: string, firm: string) =>
    `${name} of ${firm} has set up a page for you. On it you find what ${firm} needs from you and what was shared with you.`,
  open: 'Open your page',
  proves: 'To open it, give this e-mail address. A code is then sent to it.',
  lasting: 'Keep this e-mail or save the address: it stays the same.',
  questions: (name: string, email: string) => `Questions? Write to ${name} at ${email}.`,

  codeSubject: (code: string, firm: string) => `${code} is your code to open your page at ${firm}`,
  codeEnter: (code: string) => `Enter this code on the page that asked for it: ${code}`,
  codeGood: 'It is good for 10 minutes, in the browser where you asked for it.',
  codeNotAsked: 'If you did not ask for it, you need do nothing. Tell nobody the code.',
};
