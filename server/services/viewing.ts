import { createArchiveViewer } from '../archive/view/service.ts';
import type { Clients } from '../clients/service.ts';
import { createColumnSealer, SEALED } from '../db/column-encryption.ts';
import type { Documents } from '../documents/service.ts';
import type { DailyLimit } from '../links/daily-limit.ts';
import type { RecordDownload } from '../links/record-download.ts';
import type { Masking } from '../masking/service.ts';
import { createMasking } from '../masking/service.ts';
import { createPreviews } from '../previews/service.ts';
import { createPdfPasswords } from '../reading/locked/passwords.ts';
import type { Records } from '../records/service.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

interface Uses {
  documents: Documents;
  clients: Pick<Clients, 'passwordFacts'>;
  records: Records;
  daily: DailyLimit;
  record: RecordDownload;
  kept: Parameters<typeof createArchiveViewer>[0]['kept'];
  markHeld: Parameters<typeof createMasking>[0]['markHeld'];
  known: Parameters<typeof createMasking>[0]['known'];
  isKnown: Parameters<typeof createMasking>[0]['isKnown'];
}

/** Previews of documents, with Aadhaar numbers masked. */
export function composeViewing(
  { db, clock, log, blobs, secret, config }: Dependencies,
  { audit, auth, jobs }: Pick<Foundation, 'audit' | 'auth' | 'jobs'>,
  { documents, clients, records, daily, record, kept, markHeld, known, isKnown }: Uses,
) {
  const pdfPasswords = createPdfPasswords({
    db,
    clock,
    seal: createColumnSealer(secret, SEALED.pdfPasswords.purpose),
    factsOf: clients.passwordFacts,
  });
  const recognising = config.reading ? (config.scans ?? 'off') : 'off';
  const masking: Masking = createMasking({
    blobs,
    jobs,
    log,
    records,
    documents,
    known,
    isKnown,
    passwordOf: pdfPasswords.known,
    passwordTo: pdfPasswords.knownTo,
    markHeld,
    networks: recognising === 'off' ? null : recognising === 'on',
  });
  const archiveViewer = createArchiveViewer({ documents: masking, blobs, record, daily, kept });
  const previews = createPreviews({
    passwordOf: pdfPasswords.known,
    documents: { ...documents, openFile: masking.shownFile },
    records,
    blobs,
    jobs,
    audit,
    log,
    clock,
    daily,
    viewer: (actor) =>
      actor.recipient
        ? Promise.resolve({ name: actor.recipient.name, firm_name: actor.recipient.firmName })
        : auth.viewer(actor),
  });
  return { pdfPasswords, masking, archiveViewer, previews };
}
