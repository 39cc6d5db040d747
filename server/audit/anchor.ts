import { open, readFile, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { flushFolder } from '#storage/durable.ts';
import type { Audit } from './service.ts';
import type { Anchor } from './proof.ts';

export const ANCHOR_FILE = 'history.head';
const EVERY = 60_000;

/** What was noted beside the database; null where nothing was. @throws when the file cannot be read as one. */
export async function readAnchor(dataDir: string): Promise<Anchor | null> {
  const text = await readFile(join(dataDir, ANCHOR_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as Anchor);
}

/** Files of ends that the history did not have any more when the server started. */
export const lostAnchors = async (dataDir: string): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith(`${ANCHOR_FILE}.lost-`));

/** Replaces the file whole, or not at all. */
async function write(dataDir: string, anchor: Anchor): Promise<void> {
  const incoming = join(dataDir, `${ANCHOR_FILE}.new`);
  const file = await open(incoming, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(anchor)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(incoming, join(dataDir, ANCHOR_FILE));
  await flushFolder(dataDir);
}

/**
 * Keeps a note of where the history ends in a file beside the database: whoever puts an older database in its place, or
 * cuts off its end, is found out. At the start a note that no longer holds is set aside for `verify`.
 */
export async function keepAnchor(
  dataDir: string,
  audit: Pick<Audit, 'anchor' | 'holds'>,
  log: Pick<Logger, 'warn' | 'error'>,
  { every = EVERY }: { every?: number } = {},
): Promise<{ stop(): Promise<void> }> {
  const noted = await readAnchor(dataDir).catch(() => undefined);
  if (noted === undefined || (noted && !(await audit.holds(noted)))) {
    const aside = `${ANCHOR_FILE}.lost-${new Date().toISOString().replaceAll(':', '')}`;
    await rename(join(dataDir, ANCHOR_FILE), join(dataDir, aside));
    log.error(
      `The history ended elsewhere when the server ran last: its end was cut off, or an older database was put here. ` +
        `"npm run admin -- verify" says more; ${aside} is kept as evidence.`,
    );
  }
  let last = noted?.link;
  async function note(): Promise<void> {
    const anchor = await audit.anchor();
    if (!anchor || anchor.link === last) return;
    await write(dataDir, anchor);
    last = anchor.link;
  }
  const noteQuietly = () =>
    note().catch((error: unknown) => log.warn({ err: error }, 'the end of the history could not be noted'));
  await noteQuietly();
  const timer = setInterval(() => void noteQuietly(), every).unref();
  return {
    /** Notes the end once more. */
    async stop() {
      clearInterval(timer);
      await noteQuietly();
    },
  };
}
