/* global WORDS -- the route that serves this script prepends the definition */
// Receives files that other apps share with the site, and stores them on the device until they are uploaded. Its scope is
// /share only: it intercepts no other page, and caches no response.
const openDatabase = () =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('almirah-shared', 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('files', { keyPath: 'key' });
      request.result.createObjectStore('people');
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });

/** Stores all files or none. @returns the page to redirect to; while nobody is signed in, its URL names the batch to claim. */
async function storeFiles(files) {
  const db = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(['files', 'people'], 'readwrite');
      const batch = crypto.randomUUID();
      let page = '/share';
      const lastUser = transaction.objectStore('people').get('last');
      lastUser.addEventListener('success', () => {
        const { userId = null, signedIn = false } = lastUser.result ?? {};
        if (!signedIn) page += `?batch=${batch}`;
        for (const file of files) {
          if (!(file instanceof File)) continue;
          const owner = signedIn ? userId : null;
          transaction
            .objectStore('files')
            .put({ key: crypto.randomUUID(), file, owner, last: userId, batch, at: Date.now() });
        }
      });
      transaction.addEventListener('complete', () => resolve(page));
      transaction.addEventListener('abort', () => reject(transaction.error));
    });
  } finally {
    db.close();
  }
}

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const errorPage = ([title, text], status) =>
  new Response(
    `<!doctype html><html lang="${WORDS.language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;margin:0;padding:4rem 1.5rem;color-scheme:light dark;background:light-dark(#f4f5f8,#0d1014);color:light-dark(#161a23,#e8ebf1)}
main{max-width:26rem;margin:0 auto}h1{font-size:1.25rem;margin:0 0 .75rem}p{margin:0 0 1.5rem}
a{display:inline-block;padding:.7rem 1.1rem;border-radius:.5rem;background:light-dark(#2355c5,#3b6ee0);color:#fff;text-decoration:none}</style>
<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><a href="">${escapeHtml(WORDS.again)}</a></main>
<script>addEventListener('online',()=>location.reload())</script></html>`,
    { status, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' } },
  );

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode !== 'navigate' || new URL(request.url).pathname !== '/share') return;
  if (request.method === 'POST')
    event.respondWith(
      request
        .formData()
        .then((form) => storeFiles(form.getAll('files')))
        .then(
          (page) => Response.redirect(page, 303),
          () => errorPage(WORDS.full, 507),
        ),
    );
  else event.respondWith(fetch(request).catch(() => errorPage(WORDS.offline, 503)));
});
