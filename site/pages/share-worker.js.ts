import type { APIRoute } from 'astro';
import { language } from '#messages/language.ts';
import * as t from '#messages/shareTarget.ts';
import worker from '../lib/share-target/worker.js?raw';

const words = {
  language,
  offline: [t.keptTitle, t.keptOffline],
  full: [t.fullTitle, t.full],
  again: t.tryAgain,
};

/** The service worker that receives shared files on a phone, with the texts that it shows while offline. */
export const GET: APIRoute = () =>
  new Response(`const WORDS = ${JSON.stringify(words)};\n${worker}`, {
    headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' },
  });
