import { useEffect, useRef, useState } from 'react';
import { previewKind } from '#server/documents/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { FieldView } from '#server/fields/contract.ts';
import type { Box } from '#server/recognition/contract.ts';
import * as t from '#messages/review.ts';
import { Skeleton } from '../../components/Skeleton.tsx';
import { may } from '../../lib/permissions.ts';
import { nameOfField } from '../../lib/fieldValues.ts';
import { useWidth } from '../preview/usePageStrip.ts';
import { pictureOf } from './pictures.ts';
import type { Region } from './region.ts';
import { regionOf } from './region.ts';

export interface CropProps {
  item: ItemView;
  field: FieldView;
}

/** Whether there are pages to cut a place out of, for this person. */
export const hasCrop = ({ item, field }: CropProps): boolean =>
  field.page !== null &&
  may('documents.download') &&
  ['pdf', 'image', 'scan'].includes(previewKind(item.file_type) ?? '');

/**
 * The place on the page that a value was read from, large enough to be compared at a glance. `onEnd`: it is seen, or cannot be.
 */
export function Crop({ item, field, onEnd }: CropProps & { onEnd: () => void }) {
  const room = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ region: Region; url: string } | null>(null);
  const [failed, setFailed] = useState(false);
  const { page, box } = field;
  const width = useWidth(room);
  const told = useRef(onEnd);
  useEffect(() => {
    told.current = onEnd;
  });
  useEffect(() => {
    if (page === null || width === 0) return undefined;
    let ended = false;
    let made = '';
    async function cut(on: number): Promise<void> {
      const picture = await pictureOf(item, on);
      const region = regionOf(box, picture, { width, height: 240 });
      const bytes = await picture.cut(region, Math.min(devicePixelRatio, 2));
      if (ended) return;
      made = URL.createObjectURL(bytes);
      setShown({ region, url: made });
      setFailed(false);
    }
    cut(page).catch(() => {
      if (ended) return;
      setFailed(true);
      told.current();
    });
    return () => {
      ended = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [item, page, box, width]);

  const label = t.placeOf(nameOfField(field), page ?? 1);
  if (failed) return <p className="flex h-60 items-center justify-center text-muted">{t.noPlace}</p>;
  return (
    <div ref={room} className="relative h-60 w-full overflow-hidden rounded-md border border-line bg-sunken">
      {shown ? (
        <>
          <img
            src={shown.url}
            alt={label}
            onLoad={onEnd}
            onError={onEnd}
            className="absolute inset-0 m-auto max-w-none"
            style={{
              width: shown.region.width * shown.region.scale,
              height: shown.region.height * shown.region.scale,
            }}
          />
          {box && <Mark box={box} region={shown.region} />}
        </>
      ) : (
        <div role="status" aria-label={t.placeLoading}>
          <Skeleton className="absolute inset-0" />
        </div>
      )}
    </div>
  );
}

/** Around the value, in the middle of the room as the picture is. */
function Mark({ box: [left, top, width, height], region }: { box: Box; region: Region }) {
  const { scale } = region;
  const px = (tenths: number, from: number) => (tenths / 10 - from) * scale;
  return (
    <div
      className="pointer-events-none absolute inset-0 m-auto"
      style={{ width: region.width * scale, height: region.height * scale }}
    >
      <span
        className="review-mark"
        style={{
          left: px(left, region.left),
          top: px(top, region.top),
          width: (width / 10) * scale,
          height: (height / 10) * scale,
        }}
      />
    </div>
  );
}
