import { defineMiddleware } from 'astro:middleware';
import { safeNext } from './lib/addresses.ts';

/** Pages for everybody. Whoever is signed in already has no business on those with `leave`. */
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

/** Their addresses hold what opens an account. */
const SECRET = new Set(['/reset-password', '/confirm-email', '/join', '/not-me']);

/** Shown to whoever has the link, whose address is told to nobody. */
const isShared = (pattern: string): boolean => /^\/[cdrs]\//.test(pattern);

export const onRequest = defineMiddleware(async (context, next) => {
  const { viewer } = context.locals;
  const page = PUBLIC[context.routePattern];
  if (page?.leave && viewer) return context.redirect(safeNext(context.url.searchParams.get('next')));
  if (!page && !viewer) {
    const from = context.url.pathname + context.url.search;
    return context.redirect(`/login?next=${encodeURIComponent(from)}`);
  }
  // Until the second step that the firm demands is set up, there is nothing else to be seen.
  if (!page && viewer?.owes_two_step && context.routePattern !== '/settings')
    return context.redirect('/settings#two-step');
  const response = await next();
  // What was on the screen must not come back from a cache after signing out.
  if (viewer || SECRET.has(context.routePattern)) response.headers.set('Cache-Control', 'no-store');
  if (isShared(context.routePattern)) {
    response.headers.set('Cache-Control', 'private, no-store');
    response.headers.set('Referrer-Policy', 'no-referrer');
    response.headers.set('X-Robots-Tag', 'noindex, nofollow');
  }
  return response;
});
