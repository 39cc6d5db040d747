import type { Sealer } from '../datadir/sealing.ts';
import { createColumnSealer, SEALED } from '../datadir/sealing.ts';
import type { Events } from '../events/service.ts';
import type { FieldParts } from '../fields/service.ts';
import { createFields } from '../fields/service.ts';
import type { FieldExportParts } from '../fields/export.ts';
import { createFieldExport } from '../fields/export.ts';
import type { ReadingParts } from '../reading/service.ts';
import { createReading } from '../reading/service.ts';

type Parts = Omit<ReadingParts, 'seal' | 'scanSeal' | 'recognised'> &
  Pick<FieldParts, 'audit' | 'documents'> &
  Omit<FieldExportParts, 'fields'> & { secret: Buffer; events: Pick<Events, 'tell'> };

/** What reads documents, and what keeps the outcome: part of `compose`. */
export function composeReading({ secret, events, ...parts }: Parts) {
  const seal: Sealer = createColumnSealer(secret, SEALED.textIndex.purpose);
  const reading = createReading({
    ...parts,
    seal,
    scanSeal: createColumnSealer(secret, SEALED.scans.purpose),
    recognised: {
      prepare: (...kept) => fields.recognised.prepare(...kept),
      tell: (content) => fields.recognised.tell(content),
    },
  });
  const fields = createFields({ ...parts, reading, sealWith: createColumnSealer, tell: events.tell });
  const fieldExport = createFieldExport({ ...parts, fields });
  return { reading, fields, fieldExport };
}
