/** A4 in points. Apart from what draws on it, which loads the drawing library. */
export const PAGE = { width: 595, height: 842, margin: 48 };
