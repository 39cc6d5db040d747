interface Shortcut {
  keys: string;
  does: string;
}

/** The keyboard shortcuts, by task. Keys have the names that are printed on them. */
export const shortcuts: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'In the list',
    shortcuts: [
      { keys: '↑ ↓', does: 'Move the focus' },
      { keys: 'Letters', does: 'Jump to a name' },
      { keys: 'Space', does: 'Select or unselect' },
      { keys: 'Shift + ↑ ↓', does: 'Select a range' },
      { keys: 'Ctrl + A', does: 'Select all' },
      { keys: 'Esc', does: 'Clear the selection' },
      { keys: 'I or Ctrl + I', does: 'Show or hide the details' },
      { keys: 'Shift + F10', does: 'Open the menu of an item' },
    ],
  },
  {
    title: 'Navigation',
    shortcuts: [
      { keys: 'Enter', does: 'Open' },
      { keys: 'Alt + ↑ or Backspace', does: 'Go to the folder above' },
      { keys: '/ or Ctrl + K', does: 'Search' },
      { keys: '?', does: 'Show these shortcuts' },
    ],
  },
  {
    title: 'Actions',
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
];
