import type { APIRoute } from 'astro';
import { SHARED_TYPES } from '../lib/share-target/store.ts';

/** The web app manifest: makes the site installable, and a share target for files on phones. */
export const GET: APIRoute = ({ locals }) =>
  new Response(
    JSON.stringify({
      name: locals.appName,
      short_name: locals.appName,
      id: '/dashboard',
      start_url: '/dashboard',
      scope: '/',
      display: 'standalone',
      background_color: '#f4f5f8',
      theme_color: '#f4f5f8',
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
      share_target: {
        action: '/share',
        method: 'POST',
        enctype: 'multipart/form-data',
        params: { files: [{ name: 'files', accept: SHARED_TYPES }] },
      },
    }),
    { headers: { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'no-cache' } },
  );
