/** Readers accept a PDF that begins within these bytes. */
const WINDOW = 1024;
const BEGINS = /^(?:\xef\xbb\xbf)?\s*%PDF-/;
/** ZIP, OLE and RIFF files may store a whole PDF near their beginning. */
const CONTAINERS = ['PK', '\xd0\xcf\x11\xe0', 'RIFF'];

/**
 * Whether the bytes are a PDF. Something else may precede it, but only where the name says PDF too: an e-mail, an archive or a
 * text may contain the same mark.
 * @param head the first bytes of the file, or all.
 */
export function isPdf(head: Buffer, extension: string): boolean {
  const text = head.toString('latin1', 0, WINDOW);
  if (BEGINS.test(text)) return true;
  const isContainer = CONTAINERS.some((begin) => text.startsWith(begin));
  return extension === 'pdf' && !isContainer && text.includes('%PDF-');
}
