import { createDevices } from '../devices/service.ts';
import type { UploadTargets } from '../devices/upload-targets.ts';
import { createReleases } from '../devices/releases.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

type Use = Parameters<typeof createDevices>[0];

/** The API of the desktop uploader. */
export function composeDevices(
  { db, log, config, secret, dataFolderId }: Dependencies,
  { auth }: Foundation,
  use: Pick<Use, 'documents' | 'clients'> & { uploadTargets: UploadTargets },
) {
  const releases = createReleases({ folder: config.desktopDir, log });
  return createDevices({ ...use, db, auth, releases, secret, dataFolderId: dataFolderId ?? null });
}
