import { createDesktop } from '../desktop/service.ts';
import type { UploadTargets } from '../desktop/upload-targets.ts';
import { createReleases } from '../desktop/releases.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

type Use = Parameters<typeof createDesktop>[0];

/** The API of the desktop uploader. */
export function composeDesktop(
  { db, log, config, secret, dataFolderId }: Dependencies,
  { auth }: Foundation,
  use: Pick<Use, 'documents' | 'clients'> & { uploadTargets: UploadTargets },
) {
  const releases = createReleases({ folder: config.desktopDir, log });
  return createDesktop({ ...use, db, auth, releases, secret, dataFolderId: dataFolderId ?? null });
}
