import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

const STYLE = `:root{color-scheme:light dark;--line:#868fa0;--text:#161a23;--muted:#545d6e;--accent:#2355c5;--on:#fff;--bad:#b3232a;--page:#f4f5f8;--card:#fff}
@media(prefers-color-scheme:dark){:root{--line:#687385;--text:#e8ebf1;--muted:#a1abbb;--accent:#3b6ee0;--bad:#ff9a9a;--page:#0d1014;--card:#14181e}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.25rem;background:var(--page);color:var(--text);font:16px/1.5 Inter,system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:2rem;border-radius:.75rem;background:var(--card)}h1{font-size:1.375rem;line-height:1.25;margin:0 0 .75rem}
p{margin:0 0 1.25rem;color:var(--muted)}label{display:block;font-weight:600;margin-bottom:.375rem}p.bad{color:var(--bad)}
input{width:100%;font:inherit;color:inherit;padding:.6rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card)}
button{width:100%;margin-top:1rem;padding:.65rem;border:0;border-radius:.5rem;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}a{color:inherit}`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

const page = (appName: string, title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} · ${escaped(appName)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`;

/** The passphrase form. @param wrong the error message of the last try; null the first time. */
export const passphrasePage = (appName: string, wrong: string | null): string =>
  page(
    appName,
    'This vault is locked',
    `<p>The server was started, and the master key is sealed with a passphrase. Until it is typed here nothing can be opened.</p>
<form method="post" action="/unlock">
${wrong === null ? '' : `<p class="bad" id="wrong" role="alert">${escaped(wrong)}</p>\n`}<label for="passphrase">Passphrase</label>
<input id="passphrase" name="passphrase" type="password" autocomplete="off" required autofocus${wrong === null ? '' : ' aria-invalid="true" aria-describedby="wrong"'}>
<button>Unlock</button>
</form>`,
  );

export const unlockedPage = (appName: string, baseUrl: string): string =>
  page(
    appName,
    'The vault is unlocked',
    `<p>The server is starting. In a moment it answers at <a href="${escaped(baseUrl)}">${escaped(baseUrl)}</a>.</p>`,
  );

/** @param refreshes whether the browser asks for the same page again; a form it would have to send again. */
const waitingPage = (appName: string, refreshes: boolean): string =>
  page(
    appName,
    `${appName} is locked at the moment`,
    `<p>The server was restarted, and whoever looks after it has to unlock it. ${
      refreshes
        ? 'Nothing is lost. This page tries again by itself.'
        : 'What was just sent has not arrived. Go back in a few minutes and send it again.'
    }</p>`,
  );

export function send(
  res: ServerResponse,
  status: number,
  body: string | object,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': `${typeof body === 'string' ? 'text/html' : 'application/json'}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // With `no-referrer` a browser would send "Origin: null" with the form.
    'Referrer-Policy': 'same-origin',
    'Content-Security-Policy': POLICY,
    ...headers,
  });
  res.end(text);
}

const LOCKED = {
  code: 'locked',
  message:
    'The master key is sealed with a passphrase, which has not been typed since the server was started.',
};

/** Responds to health checks. @returns whether the request was one. */
export function sendHealth({ url = '/' }: IncomingMessage, res: ServerResponse): boolean {
  if (!/^\/(?:healthz|readyz)(?:\?|$)/.test(url)) return false;
  send(res, 503, { status: 'locked', problems: [LOCKED] });
  return true;
}

/** The response to every request while the vault is locked. */
export const lockedListener =
  (appName: string): RequestListener =>
  (req, res) => {
    // Discard the rest of the body.
    req.resume();
    if (sendHealth(req, res)) return;
    const forProgram = /^\/(?:api|sanctum|dav)(?:\/|$)/.test(req.url ?? '');
    const message = `${appName} is locked: the server was restarted and has to be unlocked. Please try again in a few minutes.`;
    const refreshes = req.method === 'GET' || req.method === 'HEAD';
    send(
      res,
      503,
      forProgram ? { success: false, code: 'locked', message } : waitingPage(appName, refreshes),
      {
        'Retry-After': '60',
        ...(!forProgram && refreshes && { Refresh: '30' }),
      },
    );
  };
