import type { BackupSettings } from '../settings.ts';
import { openDiskPlace } from './disk-place.ts';
import type { Place } from './place.ts';

/** @throws {PlaceRefused} if the place does not exist. */
export async function openPlace({ place, s3 }: Pick<BackupSettings, 'place' | 's3'>): Promise<Place> {
  if (!s3) return openDiskPlace(place);
  const { openS3Place } = await import('./s3-place.ts');
  return openS3Place(place, s3);
}
