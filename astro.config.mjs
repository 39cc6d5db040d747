import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import node from '@astrojs/node';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { chunks } from './site/build/chunks.js';
import { messagesIn } from './site/messages/plugin.mjs';

/** The language of the pages: a folder in site/messages, or `en-XA`, the pseudo-language of the tests. */
const LANGUAGE = process.env.PAGES_LANGUAGE ?? 'en';

const sha256 = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** A hash of the sources of the pages. An open page compares it with the server's to detect a new version. */
function buildId() {
  const hash = createHash('sha256').update(LANGUAGE);
  const filesIn = (folder, pattern) =>
    readdirSync(new URL(folder, import.meta.url), { recursive: true })
      .filter((name) => pattern.test(name) && !name.includes('.test.'))
      .map((name) => folder + name);
  const files = [
    ...filesIn('site/', /\.(?:tsx?|astro|css|js)$/),
    ...filesIn('server/', /(?:^|[/\\])contract\.ts$|^permissions\.ts$/),
    ...filesIn('server/documents/file-types/', /\.ts$/),
    ...filesIn('server/text/', /\.ts$/),
    'astro.config.mjs',
    'package-lock.json',
  ];
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest('hex').slice(0, 16);
}
const BUILD_ID = buildId();

const writeBuildId = {
  name: 'write-build-id',
  hooks: { 'astro:build:done': ({ dir }) => writeFileSync(new URL('build.txt', dir), BUILD_ID) },
};

/** The scripts that layouts/Base.astro inlines; the security policy allows them by hash. */
const inlineScripts = ['theme-first-paint', 'missing-part'].map(
  (name) => new URL(`./site/lib/${name}.js`, import.meta.url),
);

/** The hash of the style sheet that sonner injects at run time, for the security policy. */
function sonnerStyleHashes() {
  const source = readFileSync(new URL('./node_modules/sonner/dist/index.mjs', import.meta.url), 'utf8');
  const literal = /^__insertCSS\((".*")\)/m.exec(source)?.[1];
  return literal ? [sha256(JSON.parse(literal))] : [];
}

/** Drops all translations of React Aria but English: the package has thirty, and the screens are in English. */
const englishOnly = {
  name: 'react-aria-english-only',
  enforce: 'pre',
  transform(code, id) {
    if (!/react-(?:aria|stately)[^?]*\/intlStrings\.mjs$/.test(id)) return null;
    const english = /from\s*"([^"]*\/en-US\.mjs)"/.exec(code);
    if (!english) throw new Error(`No English strings in ${id}`);
    return `import strings from '${english[1]}';\nexport default { 'en-US': strings };`;
  },
};

// The server renders the pages in its own process (server/http/pages.ts) and serves the files of dist/client.
export default defineConfig({
  srcDir: './site',
  outDir: './dist',
  publicDir: './site/public',
  output: 'server',
  adapter: node({ mode: 'middleware' }),
  session: false,
  // Pages are sent with `no-store`: the browser would fetch a prefetched page again.
  prefetch: false,
  integrations: [react(), writeBuildId],
  vite: {
    plugins: [tailwindcss(), englishOnly, messagesIn(LANGUAGE), chunks()],
    define: { BUILD_ID: JSON.stringify(BUILD_ID) },
    // Bundled, since the pages need little of them: of zod's hundred files, each of which would be read at every start, and of
    // all icons, which would take 11 MB of memory.
    ssr: { noExternal: ['zod', 'lucide-react'] },
    // Inlines messages where they are used, so that no screen loads the messages of another.
    build: { rolldownOptions: { optimization: { inlineConst: { mode: 'all', pass: 2 } } } },
  },
  build: { inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  security: {
    // The server checks the XSRF token of every unsafe request itself.
    checkOrigin: false,
    csp: {
      directives: [
        "default-src 'none'",
        "connect-src 'self'",
        "font-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        // Documents and e-mails are shown in a sandboxed frame with a policy of its own.
        "frame-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ],
      scriptDirective: {
        resources: ["'self'"],
        hashes: inlineScripts.filter(existsSync).map((file) => sha256(readFileSync(file, 'utf8'))),
      },
      styleDirective: {
        resources: ["'self'", { resource: "'unsafe-inline'", kind: 'attribute' }],
        hashes: sonnerStyleHashes(),
      },
    },
  },
});
