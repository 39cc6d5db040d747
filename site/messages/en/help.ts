/** One task: how it is done, step by step. */
interface Topic {
  id: string;
  title: string;
  steps: readonly string[];
  /** Additional advice. */
  note?: string;
}

export const topics: readonly { title: string; topics: readonly Topic[] }[] = [
  {
    title: 'Uploading',
    topics: [
      {
        id: 'upload',
        title: 'Upload files or whole folders',
        steps: [
          'Open the folder you want to upload to.',
          'Drag files or folders from your computer onto the list, or choose New, then File Upload.',
          'The panel at the bottom right shows each file. You can continue working; going to another screen does not stop the upload.',
        ],
        note: 'Up to 5 GB for one file. If a file of the same name is already there, you are asked whether to keep both, replace it or skip it. Replaced, it keeps what it held as an earlier version: press Undo right after the upload, or see Versions in its menu. A new version that has another name you upload with “Upload new version” in the menu of the file.',
      },
      {
        id: 'unzip',
        title: 'Extract a ZIP that a client sent',
        steps: [
          'Upload it with “Extract ZIP file contents” ticked, or open the menu of a ZIP that is already here and choose Extract ZIP.',
          'Its contents are extracted to a new folder beside it, with their folders.',
        ],
        note: 'Open a ZIP like any file to see its contents: select what you need, or download a single file. A protected ZIP asks for its password; a damaged one is refused, with the reason. What is not accepted is skipped and named, and then an uploaded ZIP stays beside the new folder.',
      },
      {
        id: 'attachments',
        title: 'Save the attachments of an e-mail',
        steps: [
          'Upload the e-mail, an .eml or .msg file, and open it.',
          'Press the folder beside an attachment, or “Save all to folder”: they become documents in the folder of the e-mail, for the same client.',
        ],
      },
      {
        id: 'folders',
        title: 'Create folders for a client',
        steps: [
          'Choose New, then New Folder, and give it the client’s name.',
          'Choose the client there as well: everything you put into the folder then belongs to the client.',
          'Inside it, create a folder for each year.',
        ],
        note: 'For many clients at once: open Clients, press Select clients, choose them and press “Apply folder template...”. It creates the folders of a financial year for each client and leaves what is already there.',
      },
    ],
  },
  {
    title: 'Working with clients outside the office',
    topics: [
      {
        id: 'client-page',
        title: 'Set up a client page',
        steps: [
          'Open the client, and choose “Client’s page...” in the menu with the three dots.',
          'Press Create page. The client’s own e-mail address opens it; add others, such as the client’s accountant, if needed.',
          'Copy the address, e-mail it, or open WhatsApp with a ready text.',
          'The client enters the e-mail address, gets a code of six digits, and sees what you need, what you have shared and what was sent.',
        ],
        note: 'It shows links that name the visitor’s e-mail address, and links for anyone where you have ticked “Show on the client’s own page too”. Nothing else of the client’s documents appears. Shared lists all pages; End page closes one at once.',
      },
      {
        id: 'new-files',
        title: 'See what clients have sent',
        steps: [
          'Files that came by a request or a drop link are marked New in every list until somebody of the office opens them.',
          'In Documents, tick “New only” to see them all.',
        ],
      },
    ],
  },
  {
    title: 'Finding and viewing',
    topics: [
      {
        id: 'search',
        title: 'Find a file',
        steps: [
          'Press / or Ctrl + K on any screen.',
          'Type at least three letters of its name, in any script.',
          'Press Enter to open the folder, with the file highlighted.',
        ],
      },
      {
        id: 'client-files',
        title: 'See all documents of one client',
        steps: ['Open Clients.', 'Press Files in the client’s row.'],
        note: 'On that screen ↓ moves from the search box to the list, and Alt + N adds a new client.',
      },
      {
        id: 'preview',
        title: 'Preview a file without downloading it',
        steps: [
          'Click its name. PDF, pictures and video open over the list.',
          'The arrow keys move to the next and the previous file; Esc closes the preview.',
        ],
        note: 'If a scan lies sideways or upside down, R rotates its pages and pictures, Shift + R the other way. The file stays as it is.',
      },
      {
        id: 'download',
        title: 'Download a file or a whole folder',
        steps: [
          'Open the menu at the end of its row and choose Download.',
          'A folder is downloaded as one ZIP.',
        ],
      },
    ],
  },
  {
    title: 'Organising',
    topics: [
      {
        id: 'move',
        title: 'Move, rename, delete',
        steps: [
          'Select one or more: click on the row, or use Select on a phone.',
          'Drag them onto a folder, or use the bar above the list.',
          'F2 renames, Delete deletes.',
        ],
        note: 'Deleting a folder deletes everything in it. You are asked to confirm first.',
      },
      {
        id: 'trash',
        title: 'Bring back what was deleted',
        steps: [
          'Right after deleting, press Undo, or Ctrl+Z.',
          'Later, open Trash: in the sidebar, on a phone in the menu of your account.',
          'Choose Restore: it goes back to where it was, with its client. Restore to... puts it elsewhere.',
        ],
        note: 'What lies in Trash still takes storage, until it is deleted forever on the day that it says there.',
      },
      {
        id: 'import',
        title: 'Import clients from Excel',
        steps: [
          'Open Clients, press Import and choose the file: Excel or CSV, one row for each client, with a heading above each column.',
          'Check how each column was recognised, and correct it if needed. Nothing is saved yet.',
          'Press Import. A client that already exists (same GSTIN, PAN or e-mail address) is updated.',
        ],
        note: 'Rows with mistakes are shown first. Correct them in the file, or skip them.',
      },
      {
        id: 'file-under',
        title: 'Link files to a client',
        steps: [
          'In Documents, choose No Client above the list to see files that are not linked yet.',
          'Select files, press Change client..., and type the first letters of the client’s name.',
        ],
      },
      {
        id: 'filing',
        title: 'Organise documents that have come in',
        steps: [
          'Open Organise. Each document that was read is shown with a suggested client, folder and name.',
          'Correct what is not right, then press Organise. Those marked Sure can be organised together.',
          'Press Undo, or open “Organised recently”, to take it back.',
        ],
        note: 'A document that could not be identified waits at the end of the list: choose its client yourself.',
      },
      {
        id: 'review',
        title: 'Check values that were read with doubt',
        steps: [
          'Open Review. Each value, such as a PAN or an amount, is shown beside its place in the document.',
          'Press Enter to confirm it, or type the right value and press Enter.',
          'Press ↓ to leave it for later, or Page Down where you choose a type of document.',
        ],
      },
      {
        id: 'delete-client',
        title: 'Remove a client',
        steps: ['In the client’s menu choose Delete.', 'Its files stay; they are only unlinked.'],
      },
    ],
  },
  {
    title: 'Keeping and protecting documents',
    topics: [
      {
        id: 'retention',
        title: 'Keep documents for a number of years',
        steps: [
          'As an admin, open Retention and press New rule: for which documents, and for how many years.',
          'Until then nobody can delete them. Afterwards they are listed there, and you decide.',
        ],
      },
      {
        id: 'legal-hold',
        title: 'Place a legal hold',
        steps: [
          'As an admin, open the client, and choose “Legal hold...” in the menu with the three dots.',
          'Enter the reason. Nothing of this client can be deleted forever until the hold is lifted.',
        ],
      },
      {
        id: 'aadhaar',
        title: 'Cover Aadhaar numbers',
        steps: [
          'When you share a PDF or a picture by a link, choose “Cover Aadhaar numbers”.',
          'The recipient gets a copy in which only the last four digits can be read. Your original does not change.',
        ],
        note: 'Look at the covered copy before you send it: a number that could not be read cannot be covered.',
      },
    ],
  },
  {
    title: 'Your account',
    topics: [
      {
        id: 'forgot',
        title: 'Reset a forgotten password',
        steps: [
          'On the sign-in page choose “Forgot your password?” and enter your e-mail address.',
          'Open the link in the e-mail within one hour. Only the newest link works, and only once.',
        ],
        note: 'No e-mail? Check the spam folder; then ask your administrator whether this server sends e-mail.',
      },
      {
        id: 'two-step',
        title: 'Turn on two-step sign-in',
        steps: [
          'Open Settings, Two-step sign-in, and press Set up.',
          'Scan the QR code with an authenticator app and enter the code it shows.',
          'Print the ten recovery codes and keep the printout safe. Each works once, if you lose your phone.',
        ],
        note: 'If a correct code is refused, the phone’s clock may be wrong: turn on automatic time.',
      },
      {
        id: 'app-passwords',
        title: 'Open My Drive in Windows Explorer or another program',
        steps: [
          'Open Settings, App passwords, and create one for the program.',
          'Enter the address, your e-mail address and the app password in that program. The password is shown only once.',
        ],
        note: 'Delete the app password to stop the access at once. Your own password is never needed there.',
      },
      {
        id: 'lost',
        title: 'A phone or a laptop was lost',
        steps: [
          'Open Settings, Signed-in devices, and sign that device out.',
          'Then change your password, which also signs out every other device.',
        ],
      },
      {
        id: 'export',
        title: 'Export all your data',
        steps: [
          'Open Settings, Your data.',
          'Choose “Download everything”. You get one ZIP: all files in their folders, with clients, history, notes, labels, seals and the list of earlier versions as tables for Excel.',
        ],
      },
      {
        id: 'full',
        title: 'The storage is full',
        steps: [
          'Open Storage to see what uses the space.',
          'Empty Trash, delete what is not needed, or choose View Plans.',
        ],
        note: 'You can always view and download, on any plan.',
      },
    ],
  },
];

export const title = 'Help';
export const description = (appName: string) => `How to do what you want to do in ${appName}, step by step.`;
export const helpTopics = 'Help topics';
export const shortcuts = 'Keyboard shortcuts';
export const shortcutsAbout =
  'These work in My Drive. On a Mac, Cmd stands for Ctrl. Press ? there to see them again.';
export const stillStuck = 'Still stuck?';
export const writeTo = (address: string) =>
  `Write to <mail>${address}</mail>. If the screen showed a request id, include it in your e-mail: it helps us find what happened.`;
export const askAdministrator =
  'Ask your administrator. If the screen showed a request id, mention it: it helps to find what happened.';
