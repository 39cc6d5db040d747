import type { Texts } from './texts.ts';

/** The link by which a page sends files. */
export interface Link {
  /** Its path, e.g. `/r/TOKEN`. */
  address: string;
  /** The CSRF token of the page. */
  form: string;
  /** The maximum number of bytes of a file. */
  max: number;
  texts: Texts;
}
