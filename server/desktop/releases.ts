import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { notFound } from '#server/http/errors.ts';
import type { Sendable } from '#server/http/send.ts';
import type { Release, ReleaseBuild } from './contract.ts';
import { PLATFORMS } from './contract.ts';

const FILE = 'release.json';

const release = v.object({
  public_key: v.pipe(v.string(), v.base64()),
  builds: v.array(
    v.object({
      platform: v.picklist(PLATFORMS),
      kind: v.picklist(['setup', 'update']),
      version: v.pipe(v.string(), v.regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/)),
      file: v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.-]{0,120}$/)),
      size: v.pipe(v.number(), v.integer(), v.minValue(1)),
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      signature: v.pipe(v.string(), v.base64()),
    }),
  ),
});

const NONE: Release = { public_key: null, builds: [] };

/** The builds of the uploader in `folder`, as far as they are complete; none without a folder. */
export function createReleases({ folder, log }: { folder?: string | undefined; log: Logger }) {
  let cached: { fingerprint: string; release: Release } | undefined;

  async function read(): Promise<Release> {
    if (folder === undefined) return NONE;
    const file = join(folder, FILE);
    const facts = await stat(file).catch(() => null);
    if (!facts) return NONE;
    const fingerprint = `${facts.mtimeMs} ${facts.size}`;
    if (cached?.fingerprint === fingerprint) return cached.release;
    const found = await readFile(file, 'utf8')
      .then((text) => v.safeParse(release, JSON.parse(text)))
      .catch(() => null);
    if (!found?.success) {
      log.warn({ file }, 'this list of the uploader’s builds cannot be read; build it again');
      return NONE;
    }
    const complete = await Promise.all(
      found.output.builds.map(async (build) => {
        const size = await stat(join(folder, build.file)).then(
          (stats) => stats.size,
          () => null,
        );
        if (size === build.size) return [build];
        log.warn({ file: build.file }, 'this build of the uploader is missing or not whole; build it again');
        return [];
      }),
    );
    cached = { fingerprint, release: { public_key: found.output.public_key, builds: complete.flat() } };
    return cached.release;
  }

  return {
    latest: read,

    /** The newest update for a platform; null without one. */
    async versionFor(platform: string): Promise<string | null> {
      const { builds } = await read();
      return builds.find((build) => build.platform === platform && build.kind === 'update')?.version ?? null;
    },

    /** @throws {AppError} 404 for any other file. */
    async file(name: string): Promise<Sendable & { build: ReleaseBuild }> {
      const build = (await read()).builds.find(({ file }) => file === name);
      if (!build || folder === undefined) throw notFound('file');
      const { size, sha256: version } = build;
      const path = join(folder, basename(build.file));
      return {
        build,
        name: build.file,
        fileType: null,
        size,
        version,
        modifiedAt: null,
        open: async (range) => createReadStream(path, range ?? {}),
      };
    },
  };
}
export type Releases = ReturnType<typeof createReleases>;
