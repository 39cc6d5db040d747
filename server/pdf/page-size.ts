/** A4 in points. In a file of its own, since `sheet.ts` loads the drawing library. */
export const PAGE = { width: 595, height: 842, margin: 48 };
