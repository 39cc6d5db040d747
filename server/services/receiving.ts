import type { Documents } from '../documents/service.ts';
import type { Previews } from '../previews/service.ts';
import type { Records } from '../records/service.ts';
import type { Scan } from '../uploads/admit.ts';
import { createAttachments } from '../uploads/attachments/service.ts';
import { createPages } from '../uploads/pages-to-pdf/pages.ts';
import { createPhotosToPdf } from '../uploads/pages-to-pdf/photos-to-pdf.ts';
import { createRepeats } from '../uploads/repeats.ts';
import { createResumable } from '../uploads/resumable.ts';
import { createUploads } from '../uploads/service.ts';
import { createSingleRequestUpload } from '../uploads/single-request.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

/** How the firm's own users add files: uploaded in one request, in parts, or as photos of pages, and out of e-mails. */
export function composeReceiving(
  { db, clock, blobs, dataFolderId }: Pick<Dependencies, 'db' | 'clock' | 'blobs' | 'dataFolderId'>,
  { auth, audit, processes }: Pick<Foundation, 'auth' | 'audit' | 'processes'>,
  use: {
    documents: Documents;
    records: Records;
    previews: Previews;
    scan: Scan;
    folderAt: Parameters<typeof createResumable>[0]['folderAt'];
  },
) {
  const paper = createPhotosToPdf({ blobs });
  const uploads = createUploads({ ...use, blobs });
  const repeats = createRepeats({ db, clock, documents: use.documents });
  const beginning = { ...use, clock, again: auth.again, dataFolderId };
  return {
    paper,
    uploads,
    pages: createPages({ documents: use.documents, uploads, blobs, paper, repeats }),
    attachments: createAttachments({ ...beginning, uploads, blobs, repeats, audit }),
    resumable: createResumable({ ...beginning, db, blobs, processes }),
    receiveSingleRequest: createSingleRequestUpload({ ...beginning, uploads }),
  };
}
