import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authority } from './authority.ts';
import { SYSTEMS, TEXTS } from './trust-texts.ts';

const FILE = 'almirah-office.crt';

const STYLE = `:root{color-scheme:light dark;--line:#d9dde5;--soft:#f4f5f8;--text:#1c2430;--muted:#566072;--accent:#2851c4;--page:#fff}
@media(prefers-color-scheme:dark){:root{--line:#2c333d;--soft:#171c23;--text:#e6e9ee;--muted:#9aa5b4;--accent:#8fb0ff;--page:#0d1014}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--text);font:16px/1.55 Inter,system-ui,sans-serif}
main{max-width:42rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}h1{font-size:1.6rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1.05rem;margin:2rem 0 .5rem}p{margin:.5rem 0}.muted{color:var(--muted);font-size:.9rem}
.button{display:inline-block;margin:1rem 0 .25rem;padding:.7rem 1.1rem;border-radius:.5rem;background:#2851c4;color:#fff;font-weight:600;text-decoration:none}
.button:focus-visible,summary:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
code{font:.92em ui-monospace,Menlo,Consolas,monospace;background:var(--soft);border:1px solid var(--line);border-radius:.25rem;padding:.05em .3em;overflow-wrap:anywhere}
.print{display:block;padding:.75rem 1rem;font-size:.95rem;line-height:1.7}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0}summary{cursor:pointer;padding:.8rem 1rem;font-weight:600}
ol{margin:0;padding:0 1.25rem 1rem 2.25rem}li{margin:.4rem 0}a{color:var(--accent)}`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
const withCode = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** The systems in the order of the page, that of the visitor opened. */
function steps(agent: string): string {
  const visitorSystem = SYSTEMS.find((system) => system.agent.test(agent));
  return SYSTEMS.map(
    (system) =>
      `<details${system === visitorSystem ? ' open' : ''}><summary>${escaped(system.system)}</summary><ol>${system.steps
        .map((step) => `<li>${withCode(step)}</li>`)
        .join('')}</ol></details>`,
  ).join('\n');
}

const page = (
  agent: string,
  { fingerprint }: Authority,
  appName: string,
  baseUrl: string,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(TEXTS.title)} · ${escaped(appName)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(TEXTS.title)}</h1>
<p>${escaped(TEXTS.intro(appName))}</p>
<h2>${escaped(TEXTS.check)}</h2>
<p>${escaped(TEXTS.checkAbout)}</p>
<p><code class="print">${escaped(fingerprint)}</code></p>
<p><a class="button" href="/trust/${FILE}" download="${FILE}">${escaped(TEXTS.download)}</a></p>
<p class="muted">${escaped(TEXTS.bounds)}</p>
<h2>${escaped(TEXTS.steps)}</h2>
${steps(agent)}
<h2>${escaped(TEXTS.afterwards)}</h2>
<p><a href="${escaped(baseUrl)}">${escaped(baseUrl)}</a></p>
</main>
</body>
</html>
`;

/** The page that explains how to trust the office's authority, and the authority's certificate. */
export function trustPage(authority: Authority, { appName, baseUrl }: { appName: string; baseUrl: string }) {
  const der = Buffer.from(authority.cert.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  /** @returns false for everything else. */
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const path = (req.url ?? '').split('?')[0]!.replace(/\/$/, '');
    if ((req.method !== 'GET' && req.method !== 'HEAD') || !/^\/trust(?:\/almirah-office\.crt)?$/.test(path))
      return false;
    const file = path !== '/trust';
    const body = file ? der : Buffer.from(page(req.headers['user-agent'] ?? '', authority, appName, baseUrl));
    res.writeHead(200, {
      'Content-Type': file ? 'application/x-x509-ca-cert' : 'text/html; charset=utf-8',
      'Content-Length': body.length,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': POLICY,
      ...(file && { 'Content-Disposition': `attachment; filename="${FILE}"` }),
    });
    res.end(req.method === 'HEAD' ? undefined : body);
    return true;
  };
}
