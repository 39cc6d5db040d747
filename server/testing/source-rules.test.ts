import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = join(import.meta.dirname, '../..');

interface Rule {
  /** Completes the sentence "no source …". */
  says: string;
  pattern: RegExp;
  /** Exceptions, and why each is harmless. */
  but?: Record<string, string>;
  /** Path prefixes; default: all code that runs. */
  within?: readonly string[];
}

const RULES: Rule[] = [
  {
    says: 'evaluates text as code',
    pattern: /\beval\(|new Function\(|\bnode:vm\b|\bsetTimeout\(\s*['"`]/,
  },
  {
    says: 'runs a command line in a shell',
    pattern: /(?<!\.)\bexec(?:Sync)?\(\s*[`'"]|shell: *true|spawn(?:Sync)?\('(?:sh|bash)'/,
    but: {
      'desktop/build/build.ts':
        'packs a program when a release is built; the names of its files come as arguments',
      'server/tools/postgres/server.ts': 'installs a server for tests by a line that is always the same',
    },
  },
  {
    says: 'accepts an unverified certificate',
    pattern: /rejectUnauthorized: *false|NODE_TLS_REJECT_UNAUTHORIZED/,
    but: {
      'server/tools/update-service.ts':
        'asks this very machine whether the new version answers, by an address that no certificate has',
    },
  },
  {
    says: 'uses an outdated hash',
    pattern: /createHash\(\s*['"](?:md5|sha1|ripemd)/,
  },
  {
    says: 'uses an outdated or unauthenticated cipher',
    pattern: /create(?:C|Dec)ipheriv\(\s*['"](?:des|rc|bf|aes-\d+-(?:cbc|ecb|ctr))/,
  },
  {
    says: 'writes HTML without the escaping of components',
    pattern: /dangerouslySetInnerHTML|set:html|\binnerHTML *=|insertAdjacentHTML|document\.write\(/,
    within: ['site/'],
    but: {
      'site/components/WindowsStep.astro': 'texts of ours',
      'site/pages/download-app.astro': 'texts of ours',
      'site/layouts/Base.astro': 'a script of ours, whose hash the policy names',
      'site/islands/settings/TwoStepSetup.tsx': 'a picture that this server draws: the QR code of a secret',
    },
  },
  {
    // React would throw away the page of the server when a store was filled before hydration.
    says: 'renders a store without saying what the server rendered (`ssr`)',
    pattern: /\buseStore\(\s*[^\s,()]+\s*\)/,
    within: ['site/'],
  },
  {
    says: 'listens to messages of other windows',
    pattern: /(?:window|self|globalThis)\.(?:addEventListener\(\s*['"]message|onmessage)/,
    within: ['site/'],
  },
  {
    says: 'prevents a password from being pasted or filled in by a password manager',
    pattern:
      /onPaste=\{[^}]*preventDefault|autoComplete="off"[^>]*type="password"|type="password"[^>]*autoComplete="off"/,
    within: ['site/'],
  },
  {
    says: 'accepts body fields that are in no schema',
    pattern: /v\.(?:looseObject|objectWithRest)\(|\.\.\.\(?(?:await )?readBody\(/,
    within: ['server/'],
  },
];

const RUN = ['server', 'storage', 'site', 'desktop'];
const NOT_RUN = /\.test\.tsx?$|\/testing\/|\/e2e\/|\.d\.ts$|node_modules|server\/tools\/test/;

const sources = new Map<string, string>();
test.before(async () => {
  for (const room of RUN)
    for await (const file of glob(`${room}/**/*.{ts,tsx,astro,js,mjs}`, { cwd: root }))
      if (!NOT_RUN.test(file)) sources.set(file, await readFile(join(root, file), 'utf8'));
  assert.ok(sources.size > 800, `only ${sources.size} sources were found`);
});

for (const { says, pattern, but = {}, within = [''] } of RULES)
  test(`no source ${says}`, () => {
    const found = [...sources]
      .filter(([file, text]) => within.some((one) => file.startsWith(one)) && pattern.test(text))
      .map(([file]) => file);
    assert.equal(found.toSorted(), Object.keys(but).toSorted());
  });

test.run();
