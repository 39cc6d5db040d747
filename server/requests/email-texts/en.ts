import { plural } from '#server/text/plural.ts';

/** Texts about requests for clients, in e-mails and in messages sent by hand. */
export const en = {
  hello: (client: string) => `Dear ${client},`,
  askedSubject: (firm: string, title: string) => `${firm} asks for documents: ${title}`,
  asked: (name: string, firm: string, n: number) =>
    `${name} of ${firm} needs ${plural('en', n, { one: 'one document', other: '# documents' })} from you.`,
  howTo:
    'Open the link on your phone or computer. You can take photographs or choose files; no password is needed.',
  open: 'Send documents',
  due: 'Please send by',
  needed: 'Needed',
  questions: (name: string, email: string) => `Questions? Write to ${name} at ${email}.`,
  personal:
    'The link is for you: whoever has it can send documents in your name. It does not show the contents of any document.',
  remindSubject: (title: string, due: string | null) =>
    due === null ? `Reminder: ${title}` : `Reminder: ${title}, due ${due}`,
  remindLateSubject: (title: string, due: string) => `Overdue: ${title}, was due ${due}`,
  remind: (n: number) =>
    `${plural('en', n, { one: 'One document is', other: '# documents are' })} still missing.`,
  returnedSubject: (title: string) => `Please send again: ${title}`,
  returned: (name: string) => `${name} could not use what you sent. Please send it again.`,
  returnedFiles: (name: string, n: number) =>
    `${name} could not use ${plural('en', n, {
      one: 'one of the files that you sent. Please send it again',
      other: '# of the files that you sent. Please send these again',
    })}; you need not send the others again.`,
  stillNeededSubject: (title: string) => `Still needed: ${title}`,
  stillNeeded: (name: string, n: number) =>
    plural('en', n, {
      one: `You wrote that you do not have this document. ${name} still needs it.`,
      other: `You wrote that you do not have these documents. ${name} still needs them.`,
    }),
  receiptSubject: (number: string, n: number) =>
    `Receipt ${number}: ${n === 0 ? 'your answer' : plural('en', n, { one: '1 file', other: '# files' })} received`,
  receipt: (firm: string, n: number) =>
    `${firm} has received ${n === 0 ? 'your answer' : 'what you sent'}. You need do nothing more for these.`,
  receiptNumber: 'Receipt no.',
  receivedOn: 'Received',
  unavailable: (reason: string) => `Not available, as you wrote${reason === '' ? '' : `: ${reason}`}`,
  message: (client: string, firm: string, title: string, due: string | null, url: string) =>
    `Dear ${client}, ${firm} needs documents from you (${title})${due === null ? '' : `, please by ${due}`}. ` +
    `Open this link on your phone to send them:\n${url}`,
};
