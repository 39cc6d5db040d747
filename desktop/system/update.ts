import { spawn, spawnSync } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';
import type { Platform, Release, ReleaseBuild } from '#server/desktop/contract.ts';
import { signedText } from '#server/desktop/contract.ts';
import type { Vault } from '#desktop/queue/vaults.ts';
import type { Program } from '#desktop/upload/vault-client.ts';
import { createVaultClient } from '#desktop/upload/vault-client.ts';

const INTERVAL_MS = 6 * 60 * 60_000;
/** DER prefix of a raw Ed25519 public key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

const newer = (version: string, current: string): boolean => {
  const [a, b] = [version, current].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const difference = [0, 1, 2].find((place) => a[place] !== b[place]);
  return difference !== undefined && (a[difference] ?? 0) > (b[difference] ?? 0);
};

/** The build to update to: newer than this one, and signed by the key from pairing. */
export function updateOf(
  { builds }: Pick<Release, 'builds'>,
  { public_key }: Pick<Vault, 'public_key'>,
  { version, platform }: { version: string; platform: Platform },
): ReleaseBuild | null {
  if (public_key === null) return null;
  const raw = Buffer.from(public_key, 'base64');
  if (raw.length !== 32) return null;
  const key = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' });
  const fits = builds.filter(
    (build) =>
      build.kind === 'update' &&
      build.platform === platform &&
      /^\d+\.\d+\.\d+$/.test(build.version) &&
      /^[\w.-]+$/.test(build.file) &&
      newer(build.version, version) &&
      verify(null, Buffer.from(signedText(build)), key, Buffer.from(build.signature, 'base64')),
  );
  return fits.reduce<ReleaseBuild | null>(
    (best, build) => (best && !newer(build.version, best.version) ? best : build),
    null,
  );
}

/** Downloads and verifies a build; a file that does not match is deleted. @returns its path. */
export async function download(base: string, build: ReleaseBuild, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, build.file);
  try {
    const response = await fetch(`${base}/desktop/download/${build.file}`);
    if (!response.ok || !response.body) throw new Error('The vault does not give out the update at present.');
    let size = 0;
    await pipeline(
      Readable.fromWeb(response.body as ReadableStream),
      async function* counted(pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          if ((size += piece.length) > build.size) break;
          yield piece;
        }
      },
      createWriteStream(path, { flush: true, mode: 0o600 }),
    );
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    if (size !== build.size || hash.digest('hex') !== build.sha256)
      throw new Error('The update is not what the vault states, and was thrown away.');
    return path;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Unpacks the new program over the running one's file; the running process is not affected. */
export async function replace(packed: string, program: string): Promise<void> {
  const copy = `${packed}.unpack.xz`;
  await copyFile(packed, copy);
  try {
    const { status, error } = spawnSync('xz', ['-d', '-f', copy]);
    if (error || status !== 0) throw new Error('The update cannot be unpacked: install xz-utils.');
    const fresh = `${program}.new`;
    await copyFile(copy.slice(0, -'.xz'.length), fresh);
    await chmod(fresh, 0o755);
    await rename(fresh, program);
  } finally {
    await rm(copy, { force: true });
    await rm(copy.slice(0, -'.xz'.length), { force: true });
  }
}

/** Checks the paired vaults for newer builds every few hours, and installs one on request. */
export function createUpdates(dependencies: {
  vaults: { all(): Vault[] };
  program: Program;
  /** Path of the running executable. */
  file: string;
  folder: string;
  changed: () => void;
  quit: () => void;
}) {
  let found: { build: ReleaseBuild; vault: Vault } | null = null;

  async function check(): Promise<void> {
    for (const vault of dependencies.vaults.all()) {
      const { base } = vault;
      const release = await createVaultClient(base, null, dependencies.program)
        .latest()
        .catch(() => null);
      const build =
        release &&
        updateOf(release, vault, found ? { ...dependencies.program, ...found.build } : dependencies.program);
      if (build) found = { build, vault };
    }
    dependencies.changed();
  }
  const timer = setInterval(() => void check(), INTERVAL_MS);
  timer.unref();
  void check();

  return {
    available: (): string | null => (found ? `version ${found.build.version}` : null),
    async install(): Promise<void> {
      if (!found) return;
      const path = await download(found.vault.base, found.build, dependencies.folder);
      if (process.platform === 'win32') {
        // The installer stops this instance by --quit, and starts the new one.
        spawn(path, ['/S'], { detached: true, stdio: 'ignore' }).unref();
        return;
      }
      await replace(path, dependencies.file);
      await rm(path, { force: true });
      process.once('exit', () => {
        spawn(dependencies.file, process.argv.slice(2), { detached: true, stdio: 'ignore' }).unref();
      });
      dependencies.quit();
    },
    check,
    stop: () => clearInterval(timer),
  };
}
