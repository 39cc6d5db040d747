import type { Place } from './place.ts';
import { PlaceGone, PlaceRefused } from './place.ts';

export const MARKER = 'almirah-backups.json';
const NOTE = 'READ ME FIRST.txt';

const TEXT = `These are the backups of an Almirah vault. All of it is encrypted: nobody reads it without the recovery sheet or the key.

To see what is here:            npm run admin -- backups list --from THIS_PLACE
To bring the newest one back:   npm run admin -- backups restore NEW_DATA_FOLDER --from THIS_PLACE
or an earlier one:              npm run admin -- backups restore NEW_DATA_FOLDER --from THIS_PLACE --at 2026-11-22

It asks for the words of the recovery sheet. Change, rename or delete nothing here by hand.
`;

interface Marker {
  /** The id of the data folder that writes to the place. */
  vault: string;
  made_at: string;
}

/** Whether a folder with these names is a place of backups, also one that lost its marker. */
export const isNightlyFolder = (names: readonly string[]): boolean =>
  names.includes(MARKER) || (names.includes('keys') && names.includes('pieces'));

/** The marker cannot be read. */
export class MarkerDamaged extends PlaceRefused {
  override name = 'MarkerDamaged';
}

/** @throws {MarkerDamaged} @throws {PlaceRefused} for the marker of a newer version. */
export async function readMarker(place: Place): Promise<Marker | null> {
  const data = await place.read(MARKER);
  if (!data) return null;
  let marker: Partial<Marker & { format: number }> = {};
  try {
    marker = JSON.parse(data.toString('utf8')) as typeof marker;
  } catch {
    // Invalid JSON is refused below.
  }
  const { format, vault, made_at } = marker;
  if (typeof format === 'number' && format > 1)
    throw new PlaceRefused(`The backups in ${place.address} were made by a newer Almirah. Use that version.`);
  if (format !== 1 || typeof vault !== 'string' || typeof made_at !== 'string')
    throw new MarkerDamaged(
      `${MARKER} in ${place.address} is damaged. If these are the backups of this vault, run "npm run admin -- backups adopt".`,
    );
  return { vault, made_at };
}

export async function writeMarker(place: Place, marker: Marker): Promise<void> {
  await place.write(NOTE, Buffer.from(TEXT));
  await place.write(MARKER, Buffer.from(`${JSON.stringify({ format: 1, ...marker })}\n`));
  await place.settle();
}

/** @throws {PlaceRefused} if there is anything in a place that has no marker. */
export async function requireEmpty(place: Place): Promise<void> {
  for await (const [found] of place.keys(''))
    if (found)
      throw new PlaceRefused(
        `${place.address} holds other things than backups, such as ${found}. Set BACKUP_DIR to an empty folder.`,
      );
}

export const backupsGone = (place: Place): PlaceGone =>
  new PlaceGone(
    `The backups that were in ${place.address} are not there. Is the disk connected, the share mounted? Nothing was written. ` +
      'To begin anew in this place, run "npm run admin -- backups adopt".',
  );

/**
 * Checks that the place belongs to this vault, and claims an empty place.
 * @param known whether the vault has had backups there: an empty place is then refused.
 * @returns the marker.
 * @throws {PlaceRefused}
 */
export async function claimPlace(
  place: Place,
  { vault, known, now }: { vault: string; known: boolean; now: Date },
): Promise<Marker> {
  const marker = await readMarker(place);
  if (marker?.vault === vault) return marker;
  if (marker)
    throw new PlaceRefused(
      `${place.address} holds the backups of another vault, or of this one before it was restored. Nothing was written. ` +
        'Set BACKUP_DIR to another place; or, if no other server writes there any more, run "npm run admin -- backups adopt".',
    );
  if (known) throw backupsGone(place);
  await requireEmpty(place);
  const claimed = { vault, made_at: now.toISOString() };
  await writeMarker(place, claimed);
  return claimed;
}
