import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReleaseBuild, ReleaseFile } from '#server/desktop/contract.ts';
import { signedText } from '#server/desktop/contract.ts';

/**
 * The operator's signing key: the value or file of DESKTOP_SIGNING_KEY, otherwise a key created once in the
 * data folder.
 */
async function signingKey(env: NodeJS.ProcessEnv) {
  const setting = env.DESKTOP_SIGNING_KEY;
  if (setting?.includes('BEGIN')) return createPrivateKey(setting);
  const file = setting || join(env.DATA_DIR || 'data', 'desktop-signing.key');
  if (!setting && !existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
    process.stdout.write(
      `Made ${file}: it signs updates. Keep a copy: programs that are connected take updates by this key alone.\n`,
    );
  }
  const key = createPrivateKey(await readFile(file));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} holds no Ed25519 key.`);
  return key;
}

/** Writes `release.json`, the signed list of the builds. */
export async function release(
  out: string,
  version: string,
  files: Pick<ReleaseBuild, 'platform' | 'kind' | 'file'>[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<ReleaseFile> {
  const key = await signingKey(env);
  const builds: ReleaseBuild[] = [];
  for (const { platform, kind, file } of files) {
    const { size } = await stat(join(out, file));
    const sha256 = createHash('sha256')
      .update(await readFile(join(out, file)))
      .digest('hex');
    const stated = { platform, kind, version, size, sha256 };
    const signature = sign(null, Buffer.from(signedText(stated)), key).toString('base64');
    builds.push({ ...stated, file, signature });
    process.stdout.write(`${kind.padEnd(6)} ${file}  ${(size / 1024 ** 2).toFixed(1)} MB  ${sha256}\n`);
  }
  const raw = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32);
  const stated: ReleaseFile = { public_key: raw.toString('base64'), builds };
  await writeFile(join(out, 'release.json'), `${JSON.stringify(stated, null, 2)}\n`);
  return stated;
}
