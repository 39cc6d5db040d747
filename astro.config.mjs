import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import node from '@astrojs/node';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { chunks } from './site/build/chunks.js';
import { messagesIn } from './site/messages/plugin.mjs';

/** Whose texts the pages show: a folder in site/messages, or `en-XA` for tests. */
const LANGUAGE = process.env.PAGES_LANGUAGE ?? 'en';

const sha256 = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Names what the pages are built from: an open page learns by it that the server has another version. */
function buildId() {
  const hash = createHash('sha256').update(LANGUAGE);
  const under = (folder, wanted) =>
    readdirSync(new URL(folder, import.meta.url), { recursive: true })
      .filter((name) => wanted.test(name) && !name.includes('.test.'))
      .map((name) => folder + name);
  const files = [
    ...under('site/', /\.(?:tsx?|astro|css|js)$/),
    ...under('server/', /(?:^|[/\\])contract\.ts$/),
    'astro.config.mjs',
    'package-lock.json',
  ];
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest('hex').slice(0, 16);
}
const BUILD_ID = buildId();

const tellsBuild = {
  name: 'tells-build',
  hooks: { 'astro:build:done': ({ dir }) => writeFileSync(new URL('build.txt', dir), BUILD_ID) },
};

/** Sets the theme before the first paint; the base layout inlines exactly this text. */
const inline = ['theme-first-paint', 'missing-part'].map(
  (name) => new URL(`./site/lib/${name}.js`, import.meta.url),
);

/** Sonner adds its style sheet at run time; we allow just this one, as it stands in the package. */
function sonnerStyles() {
  const source = readFileSync(new URL('./node_modules/sonner/dist/index.mjs', import.meta.url), 'utf8');
  const literal = /^__insertCSS\((".*")\)/m.exec(source)?.[1];
  return literal ? [sha256(JSON.parse(literal))] : [];
}

/** React Aria brings its words in thirty languages; the screens are in English. */
const englishOnly = {
  name: 'react-aria-english-only',
  enforce: 'pre',
  transform(code, id) {
    if (!/react-(?:aria|stately)[^?]*\/intlStrings\.mjs$/.test(id)) return null;
    const english = /from\s*"([^"]*\/en-US\.mjs)"/.exec(code);
    if (!english) throw new Error(`No English words in ${id}`);
    return `import words from '${english[1]}';\nexport default { 'en-US': words };`;
  },
};

// Pages are rendered inside our own server (server/http/pages.ts), which also serves what is built to dist/client.
export default defineConfig({
  srcDir: './site',
  outDir: './dist',
  publicDir: './site/public',
  output: 'server',
  adapter: node({ mode: 'middleware' }),
  session: false,
  // Pages are never kept by the browser, so one fetched ahead would be fetched again.
  prefetch: false,
  integrations: [react(), tellsBuild],
  vite: {
    plugins: [tailwindcss(), englishOnly, messagesIn(LANGUAGE), chunks()],
    define: { BUILD_ID: JSON.stringify(BUILD_ID) },
    // Of its hundred files, each of which a start would read, the pages need a few lines.
    ssr: { noExternal: ['zod'] },
    // A text goes where it is used, and so no screen loads those of another.
    build: { rolldownOptions: { optimization: { inlineConst: { mode: 'all', pass: 2 } } } },
  },
  build: { inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  security: {
    // The server checks the XSRF token of every unsafe call itself.
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
        // Documents and e-mails are shown in a frame with a policy of its own, which leads nowhere.
        "frame-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ],
      scriptDirective: {
        resources: ["'self'"],
        hashes: inline.filter(existsSync).map((file) => sha256(readFileSync(file, 'utf8'))),
      },
      styleDirective: {
        resources: ["'self'", { resource: "'unsafe-inline'", kind: 'attribute' }],
        hashes: sonnerStyles(),
      },
    },
  },
});
