/** What can be given as a logo. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/svg+xml'] as const;
/** Bytes of the file that is given; what is kept of it is far smaller. */
export const LOGO_MAX_BYTES = 2 * 1024 * 1024;

export interface LogoView {
  /** Where the picture is to be had, by anybody; null without a logo. */
  url: string | null;
}
