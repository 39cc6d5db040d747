import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Destructions } from '#server/documents/retention/service.ts';
import { CSV_START, csvLine } from '#server/text/csv.ts';
import { bytesOf } from './everything.ts';

/** Certificates that one export renders as PDFs, the newest; the table covers all of them. */
const MAX_CERTIFICATES = 200;

/** The destroyed files as a CSV table, and the newest certificates of destruction as PDFs. */
export async function destructionTables(
  actor: Actor,
  destructions: Pick<Destructions, 'all' | 'certificate'>,
) {
  if (!may(actor, 'retention.manage')) return [];
  const certificates = await destructions.all(actor);
  const lines = [
    CSV_START +
      csvLine([
        'Certificate',
        'Path',
        'Client',
        'Rule',
        'Kept until',
        'Size in bytes',
        'SHA-256',
        'Destroyed on (UTC)',
        'Confirmed by',
        'Reason',
      ]),
  ];
  for (const { id, confirmed_by, reason, destroyed } of certificates)
    for (const file of destroyed)
      lines.push(
        csvLine([
          id,
          [file.path, file.name].filter(Boolean).join(' / '),
          file.client,
          file.rule,
          file.until,
          Number(file.file_size),
          file.sha256,
          file.destroyed_at,
          confirmed_by,
          reason,
        ]),
      );
  const tables = [{ name: 'destroyed.csv', ...bytesOf(lines.join('')) }];
  for (const { id } of certificates.slice(-MAX_CERTIFICATES)) {
    const { name, pdf } = await destructions.certificate(actor, id);
    tables.push({ name, ...bytesOf(pdf) });
  }
  return tables;
}
