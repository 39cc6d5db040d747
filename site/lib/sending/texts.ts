/** What the script of a page for senders says; the rest of the page is drawn by the server. */
export interface Texts {
  sendPhotos: { one: string; other: string };
  removePhoto: string;
  movePhoto: string;
  uploading: string;
  offline: string;
  binding: string;
  sent: string;
  again: string;
  retry: string;
  leave: string;
  said: Record<string, string>;
}

/** A text with its `{gaps}` filled. */
export const fillTemplate = (text: string, gaps: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(gaps[name] ?? whole));

/** What is said of a failure by its code. */
export const failureText = ({ said }: Pick<Texts, 'said'>, code: string): string =>
  said[code] ?? said['failed'] ?? code;
