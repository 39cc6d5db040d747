import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { openBlobStore } from '../storage/store.ts';
import { openDatabase } from '../server/datadir/database.ts';
import { pageKeyOf } from '../server/db/sqlite/page-encryption.ts';
import { compose } from '../server/services.ts';

const BATCH = 500;
const TYPES = ['pdf', 'xlsx', 'docx', 'csv', 'jpg'];
export const PASSWORD = 'correct horse battery';

export interface Prepared {
  email: string;
  token: string;
  folderId: number;
}

/** Fills a data folder, before a server uses it, with an office that has one folder of so many files without contents. */
export async function largeFolder(dataDir: string, items: number): Promise<Prepared> {
  const { blobs, secret } = await openBlobStore({ dataDir });
  const db = openDatabase(dataDir, { key: pageKeyOf(secret) });
  await db.migrate.latest();
  const log = pino({ level: 'silent' });
  const services = compose({
    db,
    blobs,
    secret,
    log,
    clock: () => new Date(),
    config: { abuseLimits: false },
  });
  try {
    const email = `bench-${randomBytes(4).toString('hex')}@example.in`;
    const { cookie, token } = await services.auth.register(
      {
        name: 'Bench Mark',
        email,
        firm_name: 'Bench & Co',
        password: PASSWORD,
        password_confirmation: PASSWORD,
        ca_license_number: 'BENCH001',
        phone: '9000000000',
        terms_accepted: true,
      },
      { ip: '127.0.0.1', userAgent: 'bench' },
    );
    const actor = (await services.auth.identifyByCookie(cookie))!;
    const place = { name: 'Everything', parent_id: null, client_id: null };
    const { id: folderId } = await services.documents.createFolder(actor, place);
    for (let from = 0; from < items; from += BATCH) {
      await db.transaction(async (trx) => {
        for (let n = from; n < Math.min(items, from + BATCH); n += 1) {
          const sha256 = randomBytes(32).toString('hex');
          const blob = {
            id: randomBytes(16).toString('hex'),
            size: 1000 + ((n * 7919) % 40_000),
            sha256,
            crc32: 0,
          };
          const name = `Statement of account ${n + 1} for 2026-27.${TYPES[n % TYPES.length]}`;
          await services.documents.addFileWithin(trx, actor, {
            name,
            parent_id: folderId,
            client_id: null,
            blob,
          });
        }
      });
    }
    return { email, token, folderId };
  } finally {
    await services.stop();
    await db.destroy();
  }
}
