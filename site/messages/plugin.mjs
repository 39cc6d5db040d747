import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const PREFIX = '#messages/';
const DISGUISED = '\0pseudo:';

/** The English texts of one file, each in disguise. */
function disguised(file) {
  if (file.endsWith('/language.ts')) return `export * from '${file}'; export const language = 'en-XA';`;
  const names = [...readFileSync(file, 'utf8').matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  return [
    `import * as en from '${file}';`,
    `import { pseudo } from '${join(here, 'pseudo.ts')}';`,
    ...names.map((name) => `export const ${name} = /* @__PURE__ */ pseudo(en.${name});`),
  ].join('\n');
}

/**
 * Vite: `#messages/…` is the folder of `language` beside this file. `en-XA`, for tests, has none: it is English in disguise.
 * One build speaks one language, so a page carries one set of texts, and the server and the browser can't differ.
 */
export function messagesIn(language) {
  if (language !== 'en-XA' && !existsSync(join(here, language)))
    throw new Error(`PAGES_LANGUAGE is "${language}", but there is no folder site/messages/${language}.`);
  return {
    name: 'messages',
    enforce: 'pre',
    resolveId(id) {
      if (!id.startsWith(PREFIX)) return null;
      const name = id.slice(PREFIX.length);
      return language === 'en-XA' ? DISGUISED + join(here, 'en', name) : join(here, language, name);
    },
    load: (id) => (id.startsWith(DISGUISED) ? disguised(id.slice(DISGUISED.length)) : null),
  };
}
