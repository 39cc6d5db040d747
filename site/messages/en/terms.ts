export const title = 'Terms of Service';
export const description = (who: string, appName: string) => `The terms on which ${who} offers ${appName}.`;
export const unnamedOperator = 'the operator of this server';
export const parties = (who: string) =>
  `Between ${who} (“we”), who run this server, and the firm that registers an account (“you”).`;
export const questions = (address: string) => `Questions: <mail>${address}</mail>`;

/** Each part is a paragraph, or the points of a list. */
export const sections = (appName: string) => [
  {
    title: '1. What you get',
    parts: [
      `${appName} stores your files, your list of clients and a record of what was done with them on this server. The contents of files are encrypted, and so is the database with names, client details and the record. Your plan says how much storage and how many users you have. What the program does today is described under <help>Help</help>. We may add features, and do not remove those you use without notice.`,
    ],
  },
  {
    title: '2. Your account',
    parts: [
      [
        'You register with correct details: name, licence number, phone, firm and an e-mail address that you use.',
        'The first user of a firm is its admin and is responsible for the users the admin adds.',
        'Keep passwords and recovery codes to yourself. Inform us at once if you think that somebody else has them.',
        'Actions taken with your account are treated as yours until you inform us that somebody else has gained access to it.',
      ],
    ],
  },
  {
    title: '3. Your files stay yours',
    parts: [
      'You keep all rights in what you upload. We use it only to store it and to show it to you and to those you allow to see it. We do not read it, sell it, or train anything with it. You can export everything at any time (Settings, Your data), on any plan and also after a plan has ended.',
    ],
  },
  {
    title: '4. What you may not store or do',
    parts: [
      [
        'Anything that you may not keep or pass on by law or by your professional duty.',
        'Malicious software, and attempts to access the data of others or to overload the server.',
        'Copies of Aadhaar cards for which you have no lawful reason. Where you do, keep the masked copy.',
      ],
    ],
  },
  {
    title: '5. Whose data is whose',
    parts: [
      'For your clients’ personal data you are the Data Fiduciary under the Digital Personal Data Protection Act, 2023, and we process it on your behalf and on your instructions, as the <privacy>Privacy Policy</privacy> says. Your duty of confidence under the Chartered Accountants Act, 1949, and how long you must keep which document, remain your responsibility; the program deletes nothing of its own accord.',
    ],
  },
  {
    title: '6. Plans, trial and payment',
    parts: [
      [
        'A firm has one trial of 14 days with 5 GB and three users. No card is required, and no paid plan starts automatically when it ends.',
        'Paid plans run for the month or the year paid for. Prices are in rupees and include GST. They do not renew automatically.',
        'When a plan ends you are on Free (1 GB, one user). Nothing is deleted. You can view, download and delete as before; you can upload again once you are within the limit.',
        'If a payment was taken and no plan was activated, we refund the amount or activate the plan, whichever you choose.',
      ],
    ],
  },
  {
    title: '7. Availability',
    parts: [
      'We run the server with professional care and inform you of planned interruptions beforehand. No system is always available: keep an export of what you cannot do without. We are responsible for backups of this server; where you run the server yourself, you are.',
    ],
  },
  {
    title: '8. Liability',
    parts: [
      'Our liability is unlimited for wilful misconduct and gross negligence, and wherever the law allows no limit. Otherwise it is limited to the amount you paid in the twelve months before the damage, and excludes loss of profit.',
    ],
  },
  {
    title: '9. Termination',
    parts: [
      'You may close your account at any time by writing to us. We may close it with 30 days’ notice, or at once if these terms are seriously breached; either way you get time to export your files unless the law forbids it. After that they are deleted within 30 days; records that the law requires us to keep are deleted when their retention period is over.',
    ],
  },
  {
    title: '10. Changes, governing law and jurisdiction',
    parts: [
      'We announce changes to these terms by e-mail 30 days before; if you disagree you may leave, and we refund the unused part of what you paid. Indian law applies. The courts at our registered office have jurisdiction.',
    ],
  },
];
