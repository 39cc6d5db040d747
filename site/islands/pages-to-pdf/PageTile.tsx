import { useCallback, useState } from 'react';
import { ArrowLeft, ArrowRight, RotateCw, X } from 'lucide-react';
import * as t from '#messages/pagesToPdf.ts';
import { IconButton } from '../../components/IconButton.tsx';
import type { Page } from './pages.ts';

/** Thumbnail width in pixels, for a tile on a high-density screen; full-size photographs would fill a phone's memory. */
const THUMBNAIL_PX = 360;

/** A thumbnail of a picture, rotated upright; the file name if the browser cannot decode it. */
function Drawing({ page: { file, turn } }: { page: Page }) {
  const [failed, setFailed] = useState(false);
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => {
      let cancelled = false;
      const show = async () => {
        const bitmap = await createImageBitmap(file, { resizeWidth: THUMBNAIL_PX, resizeQuality: 'medium' });
        if (!cancelled) {
          canvas.width = bitmap.width;
          canvas.height = bitmap.height;
          canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
        }
        bitmap.close();
      };
      show().catch(() => setFailed(true));
      return () => {
        cancelled = true;
      };
    },
    [file],
  );
  if (failed)
    return (
      <p className="flex size-full flex-col justify-center p-2 text-center text-sm break-words text-muted">
        {file.name}
        <span className="block text-xs">{t.noPicture}</span>
      </p>
    );
  return (
    <canvas
      ref={draw}
      className="size-full object-contain transition-transform duration-150 motion-reduce:transition-none"
      style={{ transform: `rotate(${turn}deg)` }}
    />
  );
}

export interface PageTileProps {
  page: Page;
  /** From 0. */
  at: number;
  count: number;
  busy: boolean;
  onTurn: () => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** One page, with its actions. */
export function PageTile({ page, at, count, busy, onTurn, onMove, onRemove }: PageTileProps) {
  return (
    <li className="overflow-hidden rounded-md border border-line bg-surface">
      <div className="relative aspect-square bg-sunken">
        <Drawing page={page} />
        <span className="tabular absolute top-1.5 left-1.5 rounded-sm bg-raised px-1.5 text-sm font-medium shadow-sm">
          <span className="sr-only">{t.page(at + 1, count)}</span>
          <span aria-hidden>{at + 1}</span>
        </span>
        <IconButton
          label={t.removePage(at + 1)}
          isDisabled={busy}
          onPress={onRemove}
          className="absolute top-0.5 right-0.5 rounded-full bg-raised opacity-90"
        >
          <X aria-hidden size={16} />
        </IconButton>
      </div>
      <div className="flex justify-between border-t border-line">
        <IconButton
          label={t.moveForward(at + 1)}
          isDisabled={busy || at === 0}
          onPress={() => onMove(at - 1)}
        >
          <ArrowLeft aria-hidden size={16} />
        </IconButton>
        <IconButton label={t.rotatePage(at + 1)} isDisabled={busy} onPress={onTurn}>
          <RotateCw aria-hidden size={16} />
        </IconButton>
        <IconButton
          label={t.moveBack(at + 1)}
          isDisabled={busy || at === count - 1}
          onPress={() => onMove(at + 1)}
        >
          <ArrowRight aria-hidden size={16} />
        </IconButton>
      </div>
    </li>
  );
}
