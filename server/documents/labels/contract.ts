import * as v from 'valibot';
import { MAX_ITEMS_PER_CALL } from '../contract.ts';
import { NO_ITEM } from '#server/text/not-there.ts';

export const LABEL_COLOURS = [
  'grey',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
] as const;
export type LabelColour = (typeof LABEL_COLOURS)[number];

/** Characters. */
export const LABEL_NAME_MAX = 40;
/** Labels per firm. */
export const LABELS_MAX = 100;

/** A label of the firm. */
export interface LabelView {
  id: number;
  name: string;
  colour: LabelColour;
}

/** Joiners are part of names in Indian scripts, as in र्‍याचे, and of emoji. */
const UNSEEN = /(?![\u200C\u200D])\p{C}/u;
const VISIBLE = /[^\p{C}\p{Z}]/u;
const NAME = 'Please enter a name for the label';
const name = v.pipe(
  v.string(NAME),
  v.transform((text) => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()),
  v.nonEmpty(NAME),
  v.maxLength(LABEL_NAME_MAX, `A label's name can have at most ${LABEL_NAME_MAX} characters`),
  v.check((text) => !UNSEEN.test(text) && VISIBLE.test(text), 'The name has characters that cannot be seen'),
);
const colour = v.picklist(LABEL_COLOURS, 'Choose a colour from the list');
export const labelInput = v.object({ name, colour });
export type LabelInput = v.InferOutput<typeof labelInput>;
export const labelChange = v.object({ name: v.optional(name), colour: v.optional(colour) });
export type LabelChange = v.InferOutput<typeof labelChange>;

const id = (message: string) => v.pipe(v.number(message), v.safeInteger(message), v.minValue(1, message));
const labels = v.optional(
  v.pipe(
    v.array(id('Choose a label from the list'), 'Choose labels from the list'),
    v.maxLength(LABELS_MAX, `Choose at most ${LABELS_MAX} labels`),
  ),
  [],
);
/** Labels to add to items and to remove from them. */
export const labelItems = v.object({
  ids: v.pipe(
    v.array(id(NO_ITEM), 'Choose at least one item'),
    v.minLength(1, 'Choose at least one item'),
    v.maxLength(MAX_ITEMS_PER_CALL, 'Choose at most 20,000 items at once'),
  ),
  add: labels,
  remove: labels,
});
export type LabelItems = v.InferOutput<typeof labelItems>;

export interface Labelled {
  /** Items whose labels changed. */
  changed: number;
  /** Items that do not exist, or not any more. */
  missing: number;
}
