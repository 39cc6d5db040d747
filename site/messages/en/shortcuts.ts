interface Shortcut {
  keys: string;
  does: string;
}

export interface ShortcutGroup {
  title: string;
  /** The paths of the screens on which they work; without it they work everywhere. */
  on?: readonly string[];
  shortcuts: readonly Shortcut[];
}

export const title = 'Keyboard shortcuts';

/** In place of a path: the layer over a list. */
export const PREVIEW = 'preview';
const FILES = ['/dashboard', '/documents'];

/** In every list whose items can be selected. */
const SELECTION: readonly Shortcut[] = [
  { keys: '↑ ↓', does: 'Move the focus' },
  { keys: 'Letters', does: 'Jump to a name' },
  { keys: 'Space', does: 'Select or unselect' },
  { keys: 'Shift + ↑ ↓', does: 'Select a range' },
  { keys: 'Ctrl + A', does: 'Select all' },
  { keys: 'Esc', does: 'Clear the selection' },
  { keys: 'I or Ctrl + I', does: 'Show or hide the details' },
];

/** The keyboard shortcuts, by task. Keys have the names that are printed on them. */
export const shortcuts: readonly ShortcutGroup[] = [
  {
    title: 'In a list of files',
    on: FILES,
    shortcuts: [
      ...SELECTION,
      { keys: 'Shift + F10', does: 'Open the menu of an item' },
      { keys: 'Enter', does: 'Open' },
      { keys: 'Alt + ↑ or Backspace', does: 'Go to the folder above' },
    ],
  },
  {
    title: 'Actions on files',
    on: FILES,
    shortcuts: [
      { keys: 'Alt + N', does: 'New folder' },
      { keys: 'Ctrl + U', does: 'Upload files' },
      { keys: 'F2', does: 'Rename' },
      { keys: 'Delete', does: 'Delete' },
      { keys: 'Ctrl + X', does: 'Cut, to move' },
      { keys: 'Ctrl + V', does: 'Move here what was cut' },
      { keys: 'Ctrl + Z', does: 'Undo, as long as it is offered' },
    ],
  },
  {
    title: 'In a preview',
    on: [...FILES, PREVIEW],
    shortcuts: [
      { keys: '← →', does: 'Previous or next file' },
      { keys: '+ −', does: 'Zoom in or out' },
      { keys: '0', does: 'Fit the page' },
      { keys: 'R', does: 'Rotate right' },
      { keys: 'Shift + R', does: 'Rotate left' },
      { keys: 'Ctrl + F', does: 'Find in a PDF' },
      { keys: 'I', does: 'Show or hide the values' },
      { keys: 'A', does: 'Accept a file from its request' },
      { keys: 'S', does: 'Send it back' },
      { keys: 'Ctrl + Z', does: 'Take the last decision or correction back' },
      { keys: 'Esc', does: 'Close' },
    ],
  },
  {
    title: 'Clients',
    on: ['/clients'],
    shortcuts: [
      { keys: 'Alt + N', does: 'New client' },
      { keys: 'Ctrl + A', does: 'Select all, while clients are selected' },
      { keys: '↑ ↓', does: 'Move between the search field and the list' },
      { keys: 'Enter', does: 'Open' },
      { keys: 'Esc', does: 'Leave the selection' },
    ],
  },
  {
    title: 'Organise',
    on: ['/filing'],
    shortcuts: [
      { keys: 'Space', does: 'Choose a suggestion' },
      { keys: 'Shift + Space', does: 'Choose a range' },
    ],
  },
  {
    title: 'Review',
    on: ['/review'],
    shortcuts: [
      { keys: 'Enter', does: 'Confirm or save the value' },
      { keys: '↓ or Page Down', does: 'Leave the value for later' },
      { keys: '↑ or Page Up', does: 'Go back' },
      { keys: 'F2', does: 'Take the suggested value' },
      { keys: 'Esc', does: 'Undo what you typed' },
    ],
  },
  {
    title: 'Trash',
    on: ['/trash'],
    shortcuts: [...SELECTION, { keys: 'Enter', does: 'Restore' }, { keys: 'Delete', does: 'Delete forever' }],
  },
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: '/ or Ctrl + K', does: 'Search' },
      { keys: '?', does: 'Show the shortcuts of the screen' },
    ],
  },
];
