/** What was typed or pasted into one line, without what is not seen. PostgreSQL cannot store all of it. */
export const typedLine = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')
    .trim();

/** The same for several lines, which may have tabs. */
export const typedLines = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '')
    .trim();
