import { defineMiddleware } from 'astro:middleware';
import { safeNext } from './lib/addresses.ts';

/** Pages that need no session. Those with `leave` redirect users who are signed in already. */
const PUBLIC: Record<string, { leave: boolean }> = {
  '/login': { leave: true },
  '/register': { leave: true },
  '/forgot-password': { leave: true },
  '/reset-password': { leave: false },
  '/confirm-email': { leave: false },
  '/join': { leave: false },
  '/not-me': { leave: false },
  '/manifest.webmanifest': { leave: false },
  '/share-worker.js': { leave: false },
  '/': { leave: false },
  '/terms': { leave: false },
  '/privacy': { leave: false },
  '/help': { leave: false },
  '/[...path]': { leave: false },
  '/500': { leave: false },
  '/r/[token]': { leave: false },
  '/d/[token]': { leave: false },
  '/c/[token]': { leave: false },
  '/s/[token]': { leave: false },
  '/s/[token]/f/[id]': { leave: false },
  '/s/[token]/v/[id]': { leave: false },
};

/** Pages whose addresses contain a token that opens an account. */
const TOKEN_PAGES = new Set(['/reset-password', '/confirm-email', '/join', '/not-me']);

/** Pages for people who have a link; its address must not reach caches, other sites or search engines. */
const isShared = (pattern: string): boolean => /^\/[cdrs]\//.test(pattern);

export const onRequest = defineMiddleware(async (context, next) => {
  const { viewer } = context.locals;
  const page = PUBLIC[context.routePattern];
  if (page?.leave && viewer) return context.redirect(safeNext(context.url.searchParams.get('next')));
  if (!page && !viewer) {
    const from = context.url.pathname + context.url.search;
    return context.redirect(`/login?next=${encodeURIComponent(from)}`);
  }
  // If the firm requires two-step sign-in, only the settings are shown until the user has set it up.
  if (!page && viewer?.owes_two_step && context.routePattern !== '/settings')
    return context.redirect('/settings#two-step');
  const response = await next();
  // After signing out, the browser must not show a page from its cache.
  if (viewer || TOKEN_PAGES.has(context.routePattern)) response.headers.set('Cache-Control', 'no-store');
  if (isShared(context.routePattern)) {
    response.headers.set('Cache-Control', 'private, no-store');
    response.headers.set('Referrer-Policy', 'no-referrer');
    response.headers.set('X-Robots-Tag', 'noindex, nofollow');
  }
  return response;
});
