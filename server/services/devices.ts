import { createDevices } from '../devices/service.ts';
import type { Places } from '../devices/places.ts';
import { createReleases } from '../devices/releases.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';

type Use = Parameters<typeof createDevices>[0];

/** What the desktop uploader speaks with. */
export function composeDevices(
  { log, config, secret }: Parts,
  { auth }: Foundation,
  use: Pick<Use, 'documents' | 'clients' | 'records' | 'subscription'> & { places: Places },
) {
  const releases = createReleases({ folder: config.desktopDir, log });
  return createDevices({ ...use, auth, releases, secret });
}
