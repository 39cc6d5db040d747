import { open, readFile, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { flushFolder } from '#storage/durable.ts';
import type { Audit } from './service.ts';
import type { Anchor } from './proof.ts';

export const ANCHOR_FILE = 'history.head';
const INTERVAL_MS = 60_000;

/** The anchor stored in a file beside the database; null without such a file. @throws if the file is unreadable. */
export async function readAnchor(dataDir: string): Promise<Anchor | null> {
  const text = await readFile(join(dataDir, ANCHOR_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as Anchor);
}

/** Files with anchors that did not match the database at a start of the server. */
export const lostAnchors = async (dataDir: string): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith(`${ANCHOR_FILE}.lost-`));

/** Replaces the file atomically. */
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
 * Stores the end of the chain regularly in a file beside the database, to detect that the database was replaced by an older
 * one or that the latest entries were cut off. An anchor that does not match at the start is kept in a file for `verify`.
 */
export async function keepAnchor(
  dataDir: string,
  audit: Pick<Audit, 'anchor' | 'hasAnchor'>,
  log: Pick<Logger, 'warn' | 'error'>,
  { every = INTERVAL_MS }: { every?: number } = {},
): Promise<{ stop(): Promise<void> }> {
  const stored = await readAnchor(dataDir).catch(() => undefined);
  if (stored === undefined || (stored && !(await audit.hasAnchor(stored)))) {
    const evidence = `${ANCHOR_FILE}.lost-${new Date().toISOString().replaceAll(':', '')}`;
    await rename(join(dataDir, ANCHOR_FILE), join(dataDir, evidence));
    log.error(
      `The history ended elsewhere when the server ran last: its end was cut off, or an older database was put here. ` +
        `"npm run admin -- verify" says more; ${evidence} is kept as evidence.`,
    );
  }
  let lastLink = stored?.link;
  async function update(): Promise<void> {
    const anchor = await audit.anchor();
    if (!anchor || anchor.link === lastLink) return;
    await write(dataDir, anchor);
    lastLink = anchor.link;
  }
  const updateOrWarn = () =>
    update().catch((error: unknown) => log.warn({ err: error }, 'the end of the history could not be noted'));
  await updateOrWarn();
  const timer = setInterval(() => void updateOrWarn(), every).unref();
  return {
    /** Stores the end once more. */
    async stop() {
      clearInterval(timer);
      await updateOrWarn();
    },
  };
}
