/** Pages that other pages link to. */
export const LINKS = {
  forgotPassword: '/forgot-password',
  terms: '/terms',
  privacy: '/privacy',
  plans: '/subscription-plans',
};

const HOME = '/dashboard';

/** Returns `next` if it is a path on this site outside the sign-in pages, else '/dashboard'. */
export function safeNext(next: string | null): string {
  // Browsers drop tabs and newlines and read a backslash as a slash: `/\t/evil.example` would leave the site.
  if (!next || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return HOME;
  return /^\/(?:login|register|forgot-password|reset-password|confirm-email)(?:[/?#]|$)/.test(next)
    ? HOME
    : next;
}
