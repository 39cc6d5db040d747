import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { momentInWords } from '../text/day-in-india.ts';
import { renewalOf } from '../tls/acme.ts';
import { endOf, isValidFor, leafOf, namesOf } from '../tls/certificate.ts';
import { certificateFiles } from '../tls/files.ts';
import { TLS_FOLDER } from '../tls/service.ts';
import type { Finding } from './finding.ts';
import { well, wrong } from './finding.ts';
import { SERVICE } from './service-settings.ts';

const ABOUT = 'Certificate';
const DAY = 24 * 60 * 60_000;
const quiet = { info() {}, warn() {}, error() {} };

async function own(files: { cert: string; key: string }, name: string): Promise<Finding> {
  const { valid_until, problem } = (await certificateFiles(files, name, quiet)).view();
  const ends = new Date(valid_until);
  if (problem) return wrong(ABOUT, problem);
  if (ends < new Date()) return wrong(ABOUT, `it ran out on ${momentInWords(ends)}: put a new one there.`);
  return well(ABOUT, `good until ${momentInWords(ends)}`);
}

/** What the server stores of a certificate that it gets and renews itself. */
async function managed(kind: 'acme' | 'local', dataDir: string, name: string): Promise<Finding> {
  const authority = kind === 'acme' ? 'the public authority' : 'the authority of the office';
  const file = join(dataDir, TLS_FOLDER, `${kind}.crt`);
  const cert = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  // The certificate of the office's authority is made at the start, and is used until that of the public one has come.
  const started = cert ?? (await readFile(join(dataDir, TLS_FOLDER, 'local.crt')).catch(() => null));
  const why = `sudo journalctl -u ${SERVICE} says why: look for "certificate".`;
  if (started === null) return well(ABOUT, `${authority} is asked for it at the first start`);
  if (cert === null) return wrong(ABOUT, `none has come from ${authority}, so browsers warn. ${why}`);
  const leaf = leafOf({ cert });
  const ends = endOf(leaf);
  const until = momentInWords(ends);
  if (!isValidFor(leaf, name))
    return wrong(
      ABOUT,
      `it is for ${namesOf(leaf).join(', ')}, not for ${name}, the name in BASE_URL. Start the server again: it gets one. ${why}`,
    );
  if (ends < new Date()) return wrong(ABOUT, `it ran out on ${until} and was not renewed. ${why}`);
  if (kind === 'acme' && renewalOf(cert).getTime() < Date.now() - DAY)
    return wrong(ABOUT, `it ends on ${until}, and ${authority} has not renewed it. ${why}`);
  return well(ABOUT, `from ${authority}, good until ${until}; the server renews it`);
}

/** Whether the certificate is there, for this address, and good for long enough. */
export async function certificate({
  https,
  baseUrl,
  dataDir,
}: Pick<Config, 'https' | 'baseUrl' | 'dataDir'>): Promise<Finding> {
  if (!https) return well(ABOUT, 'none: the server speaks plain http, alone or behind a proxy');
  const { hostname } = new URL(baseUrl);
  return https.kind === 'files' ? own(https, hostname) : managed(https.kind, dataDir, hostname);
}
