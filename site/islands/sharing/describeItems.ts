import * as t from '#messages/sharing.ts';

/** The shared items in words: `“Form 16.pdf”` or `3 items`. */
export const describeItems = (items: readonly { name: string }[]): string =>
  items.length === 1 && items[0] ? t.quoted(items[0].name) : t.items(items.length);
