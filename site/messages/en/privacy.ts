export const title = 'Privacy Policy';
export const description = (appName: string) => `What ${appName} keeps about you, why, and for how long.`;
export const lead = 'What this server stores about you, why, for how long, and what your rights are.';
export const contact = (who: string, address: string) =>
  who === ''
    ? `Contact for privacy and grievances: <mail>${address}</mail>`
    : `Contact for privacy and grievances: ${who}, <mail>${address}</mail>`;

/** The table of what is kept stands below the section of this name. */
export const whatIsKept = 'What is kept';
export const keptHeadings = ['What', 'In detail', 'Why', 'How long'];
export const keptRows = [
  [
    'Account',
    'Name, e-mail, phone, licence number, firm, role',
    'To sign you in and to contact you',
    'As long as the account',
  ],
  [
    'Password',
    'A hash (argon2id), from which the password cannot be read',
    'To check it',
    'As long as the account',
  ],
  [
    'Sessions and devices',
    'Address, browser, time; hashes of tokens',
    'To keep you signed in and to show you where',
    'At most 90 days; 2 years for a known device',
  ],
  [
    'Files and clients',
    'Contents of files, encrypted with a key of its own for each file; names, client details (such as PAN, GSTIN, contacts and notes) and the checksum of each file, in a database that is encrypted as a whole',
    'To store it for you',
    'Until you delete it; what you delete stays in Trash first, for as long as it says there, unless you empty it. What a file held before it was replaced stays with it as earlier versions, for as long as their list says',
  ],
  [
    'History',
    'Who did what, when, from which address; names of files, never their content',
    'Security, and your duty to keep logs',
    'As long as the account, at least one year',
  ],
  [
    'Payments',
    'Order, amount, the gateway’s numbers, billing details; never a card number',
    'Invoices and accounts',
    '8 years, as tax law asks',
  ],
  [
    'Server log',
    'Address, path without query, status, request number',
    'To find faults and attacks',
    'As the operator sets it, at least 180 days',
  ],
];

/** Each part is a paragraph, or the points of a list. */
export const sections = (appName: string, who: string) => [
  {
    title: 'Who is responsible',
    parts: [
      `For your account: ${who}. For the documents of a firm’s clients: that firm, as Data Fiduciary under the Digital Personal Data Protection Act, 2023; the operator of the server stores them on the firm’s behalf as its Data Processor. If a chartered accountant stores your documents in ${appName}, please contact that firm first.`,
    ],
  },
  {
    title: whatIsKept,
    parts: [],
  },
  {
    title: 'Cookies and storage in your browser',
    parts: [
      [
        'A session cookie, so that you stay signed in, and a token for the same purpose (<code>ca_token</code>).',
        'A cookie against forged requests (<code>XSRF-TOKEN</code>).',
        'A device cookie, so that a sign-in from a browser you have used before is not reported as new.',
        'Your choice of theme and how you like lists to look.',
        'On a phone or tablet, photos that you chose for an office and have not sent yet: until they are sent, or for a week.',
      ],
      'All of these are necessary for the service. There is no tracking, no advertising and no analytics.',
    ],
  },
  {
    title: 'Who else sees it',
    parts: [
      'Nobody, with two exceptions: while you pay, the payment gateway (Razorpay) receives your name, e-mail, phone and the amount; and e-mails to you pass through mail servers. Pages load nothing from other hosts. We disclose data to authorities where the law obliges us, and inform you unless it forbids that.',
    ],
  },
  {
    title: 'How it is protected',
    parts: [
      'The contents of files and of their previews are encrypted with AES-256-GCM before they are stored, each file with its own key; the operator keeps the master key apart from backups. Names of files, folders and clients, client details and the history are in a database that is encrypted as a whole, with AEGIS-256 and a key that comes from the master key. Passwords are hashed with argon2id, tokens and links are stored as hashes, sign-in attempts are limited, two-step sign-in can be turned on, and every access to a file is recorded in the history.',
    ],
  },
  {
    title: 'If something goes wrong',
    parts: [
      'If personal data is lost or disclosed to somebody who should not have it, we inform the firms and people concerned and the Data Protection Board without delay, of what happened, its consequences and what to do, and the Board in full within 72 hours; incidents on the CERT-In list are reported there within 6 hours.',
    ],
  },
  {
    title: 'Your rights',
    parts: [
      'You may access, correct, complete and erase your data, nominate somebody to act for you, and complain. Profile, export and sign-out of devices are under Settings; for anything else write to us. We answer within 30 days, and in no case later than the 90 days of the Rules. If you are not satisfied, you may approach the Data Protection Board of India.',
    ],
  },
];
