import { plural } from './language.ts';

// The landing page, and the frame of the open pages.

// index.astro
export const title = 'The document vault for chartered accountants';
export const description =
  'A document vault with encrypted files for chartered accountants in India: folders by client and year, search, preview and ZIP, on a server of your choice. 14 days free.';

// Hero
export const headline = 'Every client’s documents. One secure place.';
export const startTrial = 'Start Free Trial';
export const seeHow = 'See how it works';
export const lead = (appName: string) =>
  `${appName} stores your firm’s files encrypted on a server of your choice, organised by client and financial year, and finds any of them in seconds.`;
export const promises = ['14 days free, no card', 'Export everything, any time', 'Prices include GST'];
export const drivePicture = (appName: string) =>
  `A firm's drive in ${appName}: a folder for each client, the newest files above them, and how much storage is left.`;
export const phonePicture = (appName: string) =>
  `The documents of one client for one year in ${appName} on a phone.`;

// Features
export const features = {
  encrypted: {
    name: 'Encrypted before it is stored',
    text: 'Every file is encrypted with AES-256-GCM under a key of its own before it reaches the disk, and so are the database with names, PANs and notes, its log and its backups. Once the master key is kept off that disk, a stolen disk or backup has nothing to read. A byte that was changed is detected before it is served.',
  },
  byClient: {
    name: 'Organised by client',
    text: 'Link a folder to a client once, and everything put into it belongs to that client. One click in the client list opens all their documents, across the years.',
  },
  search: {
    name: 'Search as you type',
    text: 'Three letters of a name are enough, from any screen, in English or in any Indian script. The result opens its folder with the file highlighted.',
  },
  zip: {
    name: 'ZIP in, ZIP out',
    text: 'Upload the ZIP that a client sent and extract it in place, with its folders. Download a whole year as one ZIP. Damaged or dangerous archives are refused.',
  },
  preview: {
    name: 'Preview without downloading',
    text: 'PDF, pictures and video open in the browser, with page search, zoom and rotation. Nothing is left behind in the Downloads folder of an office computer.',
  },
  audit: {
    name: 'An audit trail',
    text: 'Sign-ins, views, downloads, changes and deletions are recorded in a history that nobody can edit. Two-step sign-in and an e-mail about each new device protect your account.',
  },
};
export const featuresTitle = 'Made for the way your office works';
export const featuresLead =
  'Clients, financial years and folders, with everything your team needs to find and share documents quickly.';

// Look
export const lookQuestion = '“Can you send me my Form 16 for the year before last?”';
export const lookAnswer =
  'Type “form 16”. The list shows the client and year of each result; Enter opens the right folder with the file highlighted, while the client is still on the phone.';
export const lookView = 'View documents without downloading them';
export const lookViewAbout =
  'Documents open over the list and close back to it. Arrow keys move to the next one, and you can search for a word inside a PDF. Files you receive from others cannot run anything: they are shown in a sandbox.';
export const searchPicture =
  'The search box with “form 16” typed in, and the Form 16 of several clients and years listed below it.';
export const previewPicture =
  'A computation of income, a PDF, open in the viewer with page number, zoom and search.';

// Questions
export const questions = (appName: string) => [
  [
    'Where are our files stored?',
    `On the server on which ${appName} is installed, and nowhere else: in your own office, or with a hosting provider of your choice. No page loads anything from another company, except the payment window while you pay.`,
  ],
  [
    'What is encrypted, exactly?',
    'The contents of every file and of its previews: AES-256-GCM, with a key of its own for each file. The database with the names of files, folders and clients, their PAN, GSTIN and contact details: every page of it, with AEGIS-256, and its log, copies and backups likewise. Both keys come from the master key. A new server makes it beside the data, and says so on its System screen until you have moved it: sealed with a passphrase that is typed at each start, by the security chip of the machine, or to another disk. Once it is kept off that disk, a stolen disk or backup has nothing to read: it shows how many files there are, how large and how old. A running server, and a machine that is taken whole with a security chip that opens it, are not protected by this. Passwords are stored as hashes only.',
  ],
  [
    'What does the DPDP Act require?',
    'Rule 6 of the DPDP Rules, 2025 asks for reasonable safeguards such as encryption, access control, logs kept for at least one year, and backups. Encrypted files, permissions, the audit trail and the backup command help your firm meet it.',
  ],
  [
    'What if a laptop, a password or the server is lost?',
    'Sign the lost device out from any other and set a new password: all other sessions end. With two-step sign-in a stolen password alone is not enough. One command backs up everything while you work, and another verifies it. Keep the master key separately.',
  ],
  [
    'What if we want to leave?',
    'Go to Settings and choose Download everything. You get all files in their folders, and the client list and history as spreadsheets. There is no fee.',
  ],
  [
    'What happens when a plan expires?',
    'Nothing is deleted. You can still view, download and delete. You can upload again once you renew or are within the free 1 GB.',
  ],
];
export const questionsTitle = 'Frequently asked questions';
export const questionsLead =
  'Client confidentiality is your professional duty. Here is how we help you meet it.';

// Pricing, lib/pricing.ts, lib/landing.ts
export const pricingTitle = 'Simple pricing';
export const pricingLead = 'Begin with 14 days and 5 GB for three users. No card is needed.';
export const mostPopular = 'Most Popular';
export const aMonth = 'a month';
export const pricingFailed = 'Failed to load latest pricing';
export const tryAgain = 'Try again';
export const pricesNote =
  'Prices in rupees, GST included. Without a plan you stay on Free: 1 GB, one user and all features, for as long as you like.';
export const customQuestion = 'More than ten people, or more than 500 GB?';
export const customAbout = 'Tell us about your firm, and we will suggest a plan that fits.';
export const askCustom = 'Ask for a custom plan';
export const billing = 'Billing';
export const monthly = 'Monthly';
export const yearly = 'Yearly';
export const aYear = 'a year';
export const savePercent = (percent: number) => `Save ${percent}%`;
export const orYearly = (price: string) => `or ${price} a year`;
export const savedByYear = (percent: number) => `Save ${percent}% compared with monthly billing`;
export const storageOf = (size: string) => `${size} of encrypted file storage`;
export const users = (n: number) => plural(n, { one: '1 user', other: '# users' });
export const allFeatures = 'Clients, search, preview, ZIP and history';
export const anyNumber = 'Any number of files, up to 5 GB each';
export const trialThen = (plan: string) => `Start Free Trial, then ${plan}`;
export const customSubject = (appName: string) => `A custom plan of ${appName}`;
export const plansFailed = 'Failed to fetch plans';
/** The audience of each plan, by its name; plans of other names have no such line. */
export const planAudience: Record<string, string> = {
  Starter: 'For a practice of one.',
  Professional: 'For a small firm.',
  Enterprise: 'For a firm with departments.',
};

// Reviews
export const reviews = [
  [
    'In July our articled assistant used to look for files all day. Now I type three letters and have the document while the client is still on the phone.',
    'Partner',
    'a firm of four, Pune',
  ],
  [
    'We asked every vendor how our clients’ documents are protected. Here we got a document that says exactly what is encrypted and what is not.',
    'Head of IT',
    'a firm with branches, Mumbai',
  ],
  [
    'Clients send a ZIP with sixty scans. I upload it, it is extracted into the right year, and I get on with my work. It used to take an evening every week.',
    'Sole practitioner',
    'Coimbatore',
  ],
];
export const reviewsTitle = 'What users say';
export const reviewsNote = 'Sample reviews, written to show three ways of using it.';

// Closing
export const closingTitle = 'Start with one client today';
export const closingLead =
  'Upload a year of documents, search for one of them, and open it on your phone. Your free trial lasts 14 days.';
export const scheduleDemo = 'Schedule a demo';
export const contactTitle = 'Contact us';
export const contactLead =
  'Ask us about moving from a shared drive, about security, or about a firm with several branches.';
export const writeToUs = 'Write to us';
export const response = 'Response within 2 hours';
export const responseAbout = 'On working days, from people who know the product.';
export const demoSubject = (appName: string) => `A demo of ${appName}`;
export const thisServer = 'This server';
export const runsServer = 'runs this server.';
export const ownServer = 'is run by your own office. Please ask your administrator for an account.';

// Header, Footer, Operator
export const sections = 'Sections';
export const navFeatures = 'Features';
export const navPricing = 'Pricing';
export const navReviews = 'Reviews';
export const navContact = 'Contact';
export const openDrive = 'Open your drive';
export const yourDrive = 'Your drive';
export const login = 'Login';
export const register = 'Register';
export const more = 'More';
export const runBy = (appName: string, operator: string) => `${appName}, run by ${operator}`;
export const noOperator =
  'Your administrator has not entered the name of the operator yet (OPERATOR_NAME, OPERATOR_ADDRESS and CONTACT_EMAIL).';
export const draft =
  'For the operator: this text describes how the program works and is a draft. Have it checked by a lawyer before you let others register.';
