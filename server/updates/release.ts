import { createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { isVersion } from './versions.ts';

/** First file of an archive: the list of its files. */
export const RELEASE_FILE = 'RELEASE.json';
/** Second file: the Ed25519 signature of the first, in base64. */
export const SIGNATURE_FILE = 'RELEASE.sig';

/** Limits of an archive, whoever signed it. */
export const LIMITS = { files: 20_000, bytes: 1024 ** 3, list: 8 * 1024 ** 2 };

/** What is wrong with an archive, as a message for the admin. */
export class BadRelease extends Error {
  override name = 'BadRelease';
}

/** A relative path without `..`, valid on every system. */
const isPath = (path: string): boolean =>
  path.length <= 240 &&
  // oxlint-disable-next-line no-control-regex
  !/[\\:\u0000-\u001f]/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

const file = v.strictObject({
  /** Bytes. */
  size: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LIMITS.bytes)),
  /** Hex. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

const schema = v.object({
  product: v.literal('almirah'),
  format: v.literal(1),
  version: v.pipe(v.string(), v.check(isVersion)),
  /** The oldest major version of Node that can build it. */
  node: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** The commit that it was built from, and its time. */
  commit: v.string(),
  made_at: v.pipe(v.string(), v.isoTimestamp()),
  /** File names, oldest first. */
  migrations: v.array(v.string()),
  /** By path. */
  files: v.pipe(
    v.record(v.pipe(v.string(), v.check(isPath)), file),
    v.check((files) => Object.keys(files).length <= LIMITS.files),
    v.check((files) => totalOf(files) <= LIMITS.bytes),
  ),
});

export type Release = v.InferOutput<typeof schema>;

export const totalOf = (files: Record<string, { size: number }>): number =>
  Object.values(files).reduce((sum, { size }) => sum + size, 0);

export const signRelease = (list: Buffer, key: KeyObject): string => sign(null, list, key).toString('base64');

/**
 * Parses and verifies the list of an archive.
 * @throws {BadRelease} when none of `keys` signed it, or it is not a release of this product.
 */
export function readRelease(list: Buffer, signature: string, keys: readonly KeyObject[]): Release {
  const bytes = Buffer.from(signature.trim(), 'base64');
  if (!keys.some((key) => verify(null, list, key, bytes)))
    throw new BadRelease(
      'This archive is not signed by the maintainers of Almirah, or was changed since. Fetch it again from where releases are published.',
    );
  let json: unknown;
  try {
    json = JSON.parse(list.toString('utf8'));
  } catch {
    throw new BadRelease('The list of files in this archive cannot be read.');
  }
  const parsed = v.safeParse(schema, json);
  if (parsed.success) return parsed.output;
  if ((json as { format?: unknown } | null)?.format !== 1)
    throw new BadRelease(
      'This archive is of a form that this version does not know. Update to the newest version of before first.',
    );
  throw new BadRelease(`The list of files in this archive is wrong: ${parsed.issues[0].message}.`);
}

/**
 * Parses public keys in base64, one per line, as `npm run release -- --new-key` prints them; text after a space
 * is a comment.
 * @throws for an invalid key.
 */
export function readKeys(text: string): KeyObject[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.map((line) => {
    const raw = Buffer.from(line.split(' ')[0]!, 'base64');
    if (raw.length !== 32)
      throw new BadRelease(`"${line}" in RELEASE_KEYS is no public key: 32 bytes in base64.`);
    return createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
      format: 'jwk',
    });
  });
}
