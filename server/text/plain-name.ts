/** A folded name as it is typed in haste: without its apostrophes, and with "and" for "&". */
export const plain = (folded: string): string => folded.replace(/['‘’]/g, '').replaceAll(' & ', ' and ');

/** The same of a word of a search. */
export const plainWord = (word: string): string => (word === '&' ? 'and' : plain(word) || word);
