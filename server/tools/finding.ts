/** `well` is false when the admin has to act; `text` then says how. */
export interface Finding {
  about: string;
  well: boolean;
  text: string;
}
export const well = (about: string, text: string): Finding => ({ about, well: true, text });
export const wrong = (about: string, text: string): Finding => ({ about, well: false, text });
