import * as t from '#messages/sharing.ts';

/** What is shared, in a sentence: `“Form 16.pdf”`, or `3 items`. */
export const whatOf = (items: readonly { name: string }[]): string =>
  items.length === 1 && items[0] ? t.quoted(items[0].name) : t.items(items.length);
