import { createDrivePasswords } from '../auth/app-passwords/drive-passwords.ts';
import { createDav } from '../dav/service.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

type Use = Parameters<typeof createDav>[0];

/** The WebDAV drive, and the app passwords that open it. */
export function composeDav(
  { db, clock, blobs, config }: Dependencies,
  { auth, settings }: Foundation,
  use: Pick<Use, 'documents' | 'uploads' | 'record' | 'records' | 'subscription'>,
) {
  const { appPasswords } = auth;
  const setting = config.webdav ?? 'on';
  const { baseUrl } = settings;
  return {
    dav: createDav({ ...use, db, clock, blobs, appPasswords, setting, baseUrl }),
    drivePasswords: createDrivePasswords({ appPasswords, documents: use.documents, setting }),
  };
}
