/* global WORDS -- set before this by what serves it */
// Takes files that another app shares with this one, and keeps them on the phone until they are sent. It is registered for
// /share alone: no other page, and no answer of the server, passes through it or is kept by it.
const opened = () =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('almirah-shared', 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('files', { keyPath: 'key' });
      request.result.createObjectStore('people');
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });

/** Keeps all of them or none. @returns where they can be seen: where nobody is signed in, the address says whose they are. */
async function keep(files) {
  const db = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const work = db.transaction(['files', 'people'], 'readwrite');
      const batch = crypto.randomUUID();
      let place = '/share';
      const asked = work.objectStore('people').get('last');
      asked.addEventListener('success', () => {
        const { userId = null, signedIn = false } = asked.result ?? {};
        if (!signedIn) place += `?batch=${batch}`;
        for (const file of files) {
          if (!(file instanceof File)) continue;
          const owner = signedIn ? userId : null;
          work
            .objectStore('files')
            .put({ key: crypto.randomUUID(), file, owner, last: userId, batch, at: Date.now() });
        }
      });
      work.addEventListener('complete', () => resolve(place));
      work.addEventListener('abort', () => reject(work.error));
    });
  } finally {
    db.close();
  }
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const said = ([title, text], status) =>
  new Response(
    `<!doctype html><html lang="${WORDS.language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escaped(title)}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;margin:0;padding:4rem 1.5rem;color-scheme:light dark;background:light-dark(#f4f5f8,#0d1014);color:light-dark(#161a23,#e8ebf1)}
main{max-width:26rem;margin:0 auto}h1{font-size:1.25rem;margin:0 0 .75rem}p{margin:0 0 1.5rem}
a{display:inline-block;padding:.7rem 1.1rem;border-radius:.5rem;background:light-dark(#2355c5,#3b6ee0);color:#fff;text-decoration:none}</style>
<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p><a href="">${escaped(WORDS.again)}</a></main>
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
        .then((form) => keep(form.getAll('files')))
        .then(
          (place) => Response.redirect(place, 303),
          () => said(WORDS.full, 507),
        ),
    );
  else event.respondWith(fetch(request).catch(() => said(WORDS.offline, 503)));
});
