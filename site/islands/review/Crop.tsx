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

/** Whether the file has page images and the user may see them. */
export const hasCrop = ({ item, field }: CropProps): boolean =>
  field.page !== null &&
  may('documents.download') &&
  ['pdf', 'image', 'scan'].includes(previewKind(item.file_type) ?? '');

/**
 * The place on the page that a value was read from, enlarged. `onEnd` is called when it is shown or cannot be shown.
 */
export function Crop({ item, field, onEnd }: CropProps & { onEnd: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ region: Region; url: string } | null>(null);
  const [failed, setFailed] = useState(false);
  const { page, box } = field;
  const width = useWidth(container);
  const onEndRef = useRef(onEnd);
  useEffect(() => {
    onEndRef.current = onEnd;
  });
  useEffect(() => {
    if (page === null || width === 0) return undefined;
    let ended = false;
    let objectUrl = '';
    async function crop(pageNumber: number): Promise<void> {
      const picture = await pictureOf(item, pageNumber);
      const region = regionOf(box, picture, { width, height: 240 });
      const bytes = await picture.crop(region, Math.min(devicePixelRatio, 2));
      if (ended) return;
      objectUrl = URL.createObjectURL(bytes);
      setShown({ region, url: objectUrl });
      setFailed(false);
    }
    crop(page).catch(() => {
      if (ended) return;
      setFailed(true);
      onEndRef.current();
    });
    return () => {
      ended = true;
      if (objectUrl) URL.revokeObjectURL(objectUrl);
    };
  }, [item, page, box, width]);

  const label = t.placeOf(nameOfField(field), page ?? 1);
  if (failed) return <p className="flex h-60 items-center justify-center text-muted">{t.noPagePicture}</p>;
  return (
    <div
      ref={container}
      className="relative h-60 w-full overflow-hidden rounded-md border border-line bg-sunken"
    >
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

/** The frame around the value, positioned over the image. */
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
