import type { Documents } from '../documents/service.ts';
import type { Records } from '../records/service.ts';
import type { Scan } from '../uploads/admit.ts';
import { createPages } from '../uploads/pages-to-pdf/pages.ts';
import { createRepeats } from '../uploads/pages-to-pdf/repeats.ts';
import { createPhotosToPdf } from '../uploads/pages-to-pdf/photos-to-pdf.ts';
import { createResumable } from '../uploads/resumable.ts';
import { createUploads } from '../uploads/service.ts';
import { createSingleRequestUpload } from '../uploads/single-request.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

/** How the firm's own users upload files: in one request, in parts, or as photos of pages. */
export function composeReceiving(
  { db, clock, blobs, dataFolderId }: Pick<Dependencies, 'db' | 'clock' | 'blobs' | 'dataFolderId'>,
  { auth, processes }: Pick<Foundation, 'auth' | 'processes'>,
  use: {
    documents: Documents;
    records: Records;
    scan: Scan;
    folderAt: Parameters<typeof createResumable>[0]['folderAt'];
  },
) {
  const paper = createPhotosToPdf({ blobs });
  const uploads = createUploads({ ...use, blobs });
  const beginning = { ...use, clock, again: auth.again, dataFolderId };
  return {
    paper,
    uploads,
    pages: createPages({
      documents: use.documents,
      uploads,
      blobs,
      paper,
      repeats: createRepeats({ db, clock, documents: use.documents }),
    }),
    resumable: createResumable({ ...beginning, db, blobs, processes }),
    receiveSingleRequest: createSingleRequestUpload({ ...beginning, uploads }),
  };
}
