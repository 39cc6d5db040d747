/** Accepted formats of a logo. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/svg+xml'] as const;
/** The maximum size of the uploaded file; the stored logo is far smaller. */
export const LOGO_MAX_BYTES = 2 * 1024 * 1024;

export interface LogoView {
  /** The public address of the logo; null without one. */
  url: string | null;
}
