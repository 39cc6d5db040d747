import type { Knex } from 'knex';
import type { Config } from '../config/config.ts';
import type { Sealer } from '../db/column-encryption.ts';
import { createColumnSealer, SEALED } from '../db/column-encryption.ts';
import type { Events } from '../events/service.ts';
import type { FieldDependencies } from '../fields/service.ts';
import { createFields } from '../fields/service.ts';
import type { FieldExportDependencies } from '../fields/export.ts';
import { createFieldExport } from '../fields/export.ts';
import type { PdfPasswords } from '../reading/locked/passwords.ts';
import type { UnlockingDependencies } from '../reading/locked/service.ts';
import { createUnlocking } from '../reading/locked/service.ts';
import type { ReadingDependencies } from '../reading/service.ts';
import { createReading } from '../reading/service.ts';

type CompositionDependencies = Omit<
  ReadingDependencies,
  'seal' | 'scanSeal' | 'recognised' | 'passwords' | 'on' | 'scans'
> &
  Omit<UnlockingDependencies, 'passwords' | 'opened'> &
  Pick<FieldDependencies, 'audit' | 'documents'> &
  Omit<FieldExportDependencies, 'fields'> & {
    secret: Buffer;
    config: Partial<Pick<Config, 'reading' | 'scans' | 'portalKeys'>>;
    events: Pick<Events, 'publish'>;
    pdfPasswords: PdfPasswords;
    /** Renders previews of a content that could not be shown before. */
    showAgain: (firmId: number, sha256: string) => Promise<void>;
    /** Called with each content whose text has changed, in the transaction that stores the text. */
    readAnew: (trx: Knex.Transaction, firmId: number, sha256: string) => Promise<void>;
  };

/** Text extraction, OCR and the recognised fields. */
export function composeReading({
  secret,
  config,
  events,
  pdfPasswords,
  showAgain,
  readAnew,
  ...shared
}: CompositionDependencies) {
  const seal: Sealer = createColumnSealer(secret, SEALED.textIndex.purpose);
  const reading = createReading({
    ...shared,
    on: config.reading ?? false,
    ...(config.scans && { scans: config.scans }),
    seal,
    passwords: {
      ...pdfPasswords,
      async store(firmId, sha256, password) {
        await pdfPasswords.store(firmId, sha256, password);
        // Before its password was known, it was recorded that no picture can be made of it.
        await showAgain(firmId, sha256);
      },
    },
    scanSeal: createColumnSealer(secret, SEALED.scans.purpose),
    recognised: {
      async prepare(content, recognised) {
        const store = await fields.recognised.prepare(content, recognised);
        return async (trx) => {
          await store(trx);
          await readAnew(trx, content.firm_id, content.sha256);
        };
      },
      isAnswered: (content) => fields.recognised.isAnswered(content),
      differs: (content, recognised) => fields.recognised.differs(content, recognised),
      notify: (content) => fields.recognised.notify(content),
    },
  });
  const fields = createFields({
    ...shared,
    reading,
    portalKeys: config.portalKeys ?? [],
    sealWith: createColumnSealer,
    tell: events.publish,
  });
  const fieldExport = createFieldExport({ ...shared, fields });
  const unlocking = createUnlocking({
    ...shared,
    passwords: pdfPasswords,
    async opened(firmId, sha256) {
      await showAgain(firmId, sha256);
      await reading.enqueueUnlocked(firmId, sha256);
    },
  });
  return { reading, fields, fieldExport, unlocking };
}
