/** One task: how it is done, step by step. */
export interface Topic {
  id: string;
  title: string;
  steps: readonly string[];
  /** What is good to know beside it. */
  note?: string;
}

export const TOPICS: readonly { title: string; topics: readonly Topic[] }[] = [
  {
    title: 'Putting papers in',
    topics: [
      {
        id: 'upload',
        title: 'Upload files or whole folders',
        steps: [
          'Open the folder in which they belong.',
          'Drag them from your computer onto the list, or choose New, then File Upload.',
          'The panel at the bottom right shows each file. You may go on working; moving to another screen does not stop it.',
        ],
        note: 'Up to 5 GB for one file. A name that is taken gets a number, so nothing is ever overwritten.',
      },
      {
        id: 'unzip',
        title: 'Unpack a ZIP that a client sent',
        steps: [
          'Upload it with “Extract ZIP file contents” ticked, or open the menu of a ZIP that is here already and choose Extract ZIP.',
          'Its contents come into a new folder beside it, with their folders.',
        ],
        note: 'Opened like any file, a ZIP shows what it holds: choose what you need there, or download a single file. A locked one asks for its password; a damaged one is refused as a whole, and you are told why.',
      },
      {
        id: 'folders',
        title: 'Lay out folders for a client',
        steps: [
          'Choose New, then New Folder, and give it the client’s name.',
          'Pick the client there as well: what is put into the folder from then on belongs to the client.',
          'Inside, make a folder for each year.',
        ],
      },
    ],
  },
  {
    title: 'Finding and reading',
    topics: [
      {
        id: 'search',
        title: 'Find a file',
        steps: [
          'Press / or Ctrl + K on any screen.',
          'Type at least three letters of its name, in any script.',
          'Enter opens the folder, with the file marked.',
        ],
      },
      {
        id: 'client-files',
        title: 'See everything of one client',
        steps: ['Open Clients.', 'Press Files in the client’s row.'],
        note: 'There ↓ leads from the search into the list, and Alt + N makes a new client.',
      },
      {
        id: 'preview',
        title: 'Look at a file without downloading it',
        steps: [
          'Click its name. PDF, pictures and video open over the list.',
          'The arrow keys turn to the next and the previous one; Esc closes.',
        ],
      },
      {
        id: 'download',
        title: 'Download a file or a whole folder',
        steps: ['Open the menu at the end of its row and choose Download.', 'A folder comes as one ZIP.'],
      },
    ],
  },
  {
    title: 'Keeping order',
    topics: [
      {
        id: 'move',
        title: 'Move, rename, delete',
        steps: [
          'Select one or more: click on the row, or use Select on a phone.',
          'Drag them onto a folder, or use the bar above the list.',
          'F2 renames, Delete deletes.',
        ],
        note: 'Deleting a folder deletes all that is in it, and cannot be undone. You are asked first.',
      },
      {
        id: 'import',
        title: 'Bring the client list from Excel',
        steps: [
          'Open Clients, press Import and choose the file: Excel or CSV, one row a client, a heading above each column.',
          'See what each column was taken for, and put right what is wrong. Nothing is saved yet.',
          'Press Import. A client that is here already is updated, found by GSTIN, PAN or email address.',
        ],
        note: 'Rows with mistakes are shown first. Mend them in the file, or leave them out.',
      },
      {
        id: 'file-under',
        title: 'File papers under a client',
        steps: [
          'In Documents choose No Client above the list: what belongs to nobody yet is left.',
          'Select files, press Change client…, and type the first letters of the client’s name.',
        ],
      },
      {
        id: 'delete-client',
        title: 'Remove a client',
        steps: ['In the client’s menu choose Delete.', 'Its files stay and are only unlinked from it.'],
      },
    ],
  },
  {
    title: 'Your account',
    topics: [
      {
        id: 'forgot',
        title: 'Set a new password when you have forgotten it',
        steps: [
          'On the sign-in page choose “Forgot your password?” and type your email address.',
          'Open the link in the letter within an hour. Only the newest link works, and only once.',
        ],
        note: 'No letter? Look into the spam folder; then ask your admin whether this server sends mail.',
      },
      {
        id: 'two-step',
        title: 'Protect the account with a code from your phone',
        steps: [
          'Open Settings, Two-step sign-in, and press Set up.',
          'Scan the picture with an authenticator app and type the code that it shows.',
          'Print the ten recovery codes and put them away. Each opens the account once, if the phone is lost.',
        ],
        note: 'A code is refused although it is right? The phone’s clock is off: switch on automatic time.',
      },
      {
        id: 'lost',
        title: 'A phone or a laptop was lost',
        steps: [
          'Open Settings, Signed-in devices, and sign that device out.',
          'Then change the password, which signs out every other device too.',
        ],
      },
      {
        id: 'export',
        title: 'Take everything along',
        steps: [
          'Open Settings, Your data.',
          '“Download everything” gives one ZIP: all files in their folders, the clients and the history as tables for Excel.',
        ],
      },
      {
        id: 'full',
        title: 'The storage is full',
        steps: [
          'Open Storage to see what takes the room.',
          'Delete what is not needed, or choose View Plans.',
        ],
        note: 'Reading and downloading always go on, on any plan.',
      },
    ],
  },
];
