import type { BackupSettings } from '../settings.ts';
import { openDiskPlace } from './disk-place.ts';
import type { Place } from './place.ts';

/** @throws {PlaceRefused} when it is not there. */
export function openPlace({ place }: Pick<BackupSettings, 'place' | 's3'>): Promise<Place> {
  return openDiskPlace(place);
}
