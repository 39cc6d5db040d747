import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as landing from './en/landing.ts';
import * as privacy from './en/privacy.ts';
import * as terms from './en/terms.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What is encrypted is the content of files and the database, not their sizes, dates and the log; and the program has the key. */
const FALSE_CLAIMS = [
  /end[- ]to[- ]end/i,
  /zero[- ]knowledge/i,
  /(?:military|bank)[- ]grade/i,
  /\b(?:entirely|fully|completely|wholly)[- ]encrypted/i,
  /\b(?:everything|all (?:your |of your |the )?data|all information)\b[^.]{0,40}\b(?:is|are) (?:stored )?(?:encrypted|sealed)/i,
  /\bencrypt(?:s|ed)?\b[^.;,]{0,30}\b(?:everything|all (?:your |the )?data)/i,
  /(?:we|nobody|no one|not even we) (?:can ?not|can|could) (?:ever )?(?:read|open) your (?:files|documents|data)/i,
];

const falseClaims = (text: string): string[] =>
  FALSE_CLAIMS.flatMap((pattern) => pattern.exec(text)?.[0] ?? []).filter(
    // A sentence may deny the claim.
    (claim) => !/\bnot (?:encrypted|sealed)/i.test(claim),
  );

const test = suite('claims about encryption');

test('false claims are recognised, and true sentences are not mistaken for them', () => {
  for (const sentence of [
    'Your documents are end-to-end encrypted.',
    'All your data is encrypted at rest.',
    'Everything you store here is encrypted.',
    'Almirah encrypts all your data.',
    'A vault that is entirely encrypted.',
    'All information is stored encrypted.',
    'We cannot read your files.',
  ])
    assert.is(falseClaims(sentence).length, 1, sentence);
  for (const sentence of [
    'Every file is encrypted under a key of its own before it is stored.',
    'The database with names and client details is encrypted.',
  ])
    assert.equal(falseClaims(sentence), [], sentence);
});

test('no text makes a false claim, since the program has the key, and file sizes and dates are not encrypted', async () => {
  const found: string[] = [];
  let fileCount = 0;
  for await (const path of glob(
    [
      'site/messages/en/*.ts',
      'site/pages/**/*.astro',
      'site/components/**/*.{astro,tsx}',
      'site/islands/**/*.tsx',
      'site/layouts/**/*.astro',
      'server/mail/**/*.ts',
      'README.md',
      '{server,desktop}/**/README.md',
      'storage/FORMAT.md',
      'SECURITY.md',
    ],
    { cwd: ROOT },
  )) {
    fileCount += 1;
    const text = (await readFile(join(ROOT, path), 'utf8')).replaceAll(/\s+/g, ' ');
    found.push(...falseClaims(text).map((claim) => `${path}: ${claim}`));
  }
  assert.ok(fileCount > 100, `${fileCount} files`);
  assert.equal(found, []);
});

test('the terms, the privacy policy and the landing page say what is encrypted, and where the key is', () => {
  const textOf = (part: unknown): string => JSON.stringify(part);
  assert.match(
    textOf(terms.sections('Almirah')),
    'The contents of files are encrypted, and so is the database with names, client details and the record.',
  );
  const policy = textOf(
    Object.values(privacy).map((part) => (typeof part === 'function' ? `${part}` : part)),
  );
  assert.match(
    policy,
    'Names of files, folders and clients, client details and the history are in a database that is encrypted as a whole',
  );
  const answer = textOf(
    landing.questions('Almirah').find(([question]) => question === 'What is encrypted, exactly?'),
  );
  assert.match(answer, 'The contents of every file and of its previews');
  assert.match(
    answer,
    'A new server makes it beside the data, and says so on its System screen until you have moved it',
  );
  assert.match(answer, 'it shows how many files there are, how large and how old');
});

test('texts say that a stolen disk has nothing to read only on condition that the master key is not on that disk', async () => {
  const sentences: string[] = [];
  for await (const path of glob(['site/**/*.{ts,tsx,astro}', 'server/mail/**/*.ts'], { cwd: ROOT })) {
    if (path.includes('.test.')) continue;
    const text = (await readFile(join(ROOT, path), 'utf8')).replaceAll(/\s+/g, ' ');
    sentences.push(...(text.match(/[^.'`]*nothing to read/gi) ?? []));
  }
  // `server/datadir/planted.test.ts` proves the statement.
  assert.is(sentences.length, 2);
  for (const sentence of sentences)
    assert.match(sentence, /Once (?:the master key|it) is kept off that disk/);
});

test.run();
