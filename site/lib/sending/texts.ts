/** Texts of the sender page's script; the server renders the rest of the page. */
export interface Texts {
  sendPhotos: { one: string; other: string; several: string };
  removePhoto: string;
  movePhoto: string;
  uploading: string;
  sendingPhotos: string;
  interrupted: string;
  offline: string;
  makingPdf: string;
  photosArrived: { other: string; several: string };
  unread: string;
  sent: string;
  alreadySent: string;
  alreadySentSeveral: string;
  retry: string;
  closeMessage: string;
  notices: Record<string, string>;
}

/** Replaces the `{name}` placeholders of a text. */
export const fillTemplate = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** The text for an error code. */
export const failureText = ({ notices }: Pick<Texts, 'notices'>, code: string): string =>
  notices[code] ?? notices['failed'] ?? code;
