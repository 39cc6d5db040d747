import { count, plural } from './language.ts';
import type { LabelColour } from '#server/documents/labels/contract.ts';

export const title = 'Labels';
export const none = 'No labels.';
export const change = 'Change...';
export const changeOf = (name: string) => `Change... the labels of ${name}`;
export const common = 'Labels on all of them';
export const loadFailed = 'The labels could not be loaded. Please try again.';

// LabelsDialog.tsx
export const labelsOf = (name: string) => `Labels of “${name}”`;
export const labelsOfItems = (n: number) =>
  plural(n, { one: 'Labels of 1 item', other: 'Labels of # items' });
export const notSaved = 'What you ticked or typed has not been saved.';
export const noneYet = 'Your firm has no labels yet. Create the first one below.';
export const newLabel = 'New label';
export const name = 'Name of the label';
export const colour = 'Colour';
export const colours: Record<LabelColour, string> = {
  grey: 'Grey',
  red: 'Red',
  orange: 'Orange',
  yellow: 'Yellow',
  green: 'Green',
  teal: 'Teal',
  blue: 'Blue',
  purple: 'Purple',
  pink: 'Pink',
};
export const create = 'Create';
export const edit = (label: string) => `Edit the label ${label}`;
export const remove = (label: string) => `Delete the label ${label}`;
export const removeQuestion = (label: string) => `Delete the label “${label}”?`;
export const removeAbout =
  'It is taken off all files and folders of the firm. The files and folders stay. This action cannot be undone.';
export const removeAction = 'Delete label';
export const saveFailed = 'The label could not be saved. Please try again.';
export const changeFailed = 'The labels could not be changed. Please try again.';
export const saved = (n: number) => plural(n, { one: '1 item changed', other: '# items changed' });
export const missing = (n: number) =>
  plural(n, { one: '1 item is not there any more.', other: '# items are not there any more.' });
export const onSome = 'on some of them';

// Filter
export const all = 'All labels';
export const label = 'Label';
export const more = (n: number) => `+${count(n)}`;
