import type { ItemView } from '#server/documents/contract.ts';
import { checkName, nameKey, tidyName } from '#server/documents/contract.ts';
import { findTaken } from '#server/text/exchanged-names.ts';
import * as d from '#messages/itemDialogs.ts';

export const NUMBERING = ['none', 'front', 'end'] as const;
export type Numbering = (typeof NUMBERING)[number];

/** What several names are changed by, in this order. */
export interface NameRule {
  /** A text that is replaced wherever it is in a name, in upper or lower case; '' for none. */
  find: string;
  replacement: string;
  before: string;
  after: string;
  /** Where the items are numbered in their order, with as many digits as the last number has. */
  numbering: Numbering;
}

export interface NewName {
  item: ItemView;
  /** The item's present name, if the rule does not change it. */
  name: string;
  /** Why the item cannot have this name. */
  error: string | null;
}

/** The name without a file's extension, and the extension with its dot. */
function split({ name, type }: Pick<ItemView, 'name' | 'type'>): [stem: string, extension: string] {
  const dot = type === 'file' ? name.lastIndexOf('.') : -1;
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}

/** @param there the other items that are known to be in the same folders. */
export function newNames(
  items: readonly ItemView[],
  rule: NameRule,
  there: readonly ItemView[],
): readonly NewName[] {
  const find = rule.find.normalize('NFC');
  const pattern =
    find === '' ? null : new RegExp(find.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
  const digits = String(items.length).length;
  const names = items.map((item, index): NewName => {
    const [stem, extension] = split(item);
    const replaced = pattern ? stem.replace(pattern, () => rule.replacement) : stem;
    const number = String(index + 1).padStart(digits, '0');
    const text = `${rule.before}${replaced}${rule.after}`;
    const numbered =
      rule.numbering === 'none'
        ? text
        : rule.numbering === 'front'
          ? `${number} ${text}`
          : `${text} ${number}`;
    if (numbered === stem) return { item, name: item.name, error: null };
    const name = tidyName(numbered.trim() + extension);
    return { item, name, error: numbered.trim() === '' ? d.nothingLeft : checkName(name) };
  });
  const keyOf = (item: ItemView, name: string) => `${item.parent_id ?? 0}/${nameKey(name)}`;
  const keys = new Set([...there, ...items].map((item) => keyOf(item, item.name)));
  const taken = findTaken(
    names.flatMap(({ item, name, error }) =>
      name === item.name || error !== null
        ? []
        : [{ id: item.id, from: keyOf(item, item.name), to: keyOf(item, name) }],
    ),
    (key) => keys.has(key),
  );
  return names.map((one) => (taken.has(one.item.id) ? { ...one, error: d.taken } : one));
}
