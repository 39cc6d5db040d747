/** What somebody else wrote, with one full stop at its end: a reason, or what another server answered. */
export const sentence = (text: string): string => text.replace(/[.\s]*$/, '.');
