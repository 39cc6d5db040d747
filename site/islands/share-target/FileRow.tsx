import { useCallback, useState } from 'react';
import { useStore } from '@nanostores/react';
import { X } from 'lucide-react';
import * as t from '#messages/shareTarget.ts';
import { extensionOf } from '#server/text/extension.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { ProgressBar } from '../../components/ProgressBar.tsx';
import type { SharedFile } from '../../lib/share-target/store.ts';
import { $refused, $sending, removeAll } from '../../lib/share-target/sendQueue.ts';
import { problems } from '../uploads/check.ts';

/** A thumbnail of an image; its type's icon if the browser cannot display it. */
function Picture({ file }: { file: File }) {
  const [drawn, setDrawn] = useState(file.type.startsWith('image/'));
  const draw = useCallback(
    (picture: HTMLImageElement) => {
      picture.src = URL.createObjectURL(file);
      return () => URL.revokeObjectURL(picture.src);
    },
    [file],
  );
  if (!drawn) return <FileGlyph fileType={extensionOf(file.name)} size={20} className="mx-2.5 shrink-0" />;
  return (
    <img
      ref={draw}
      alt=""
      className="size-10 shrink-0 rounded-sm bg-sunken object-cover"
      onError={() => setDrawn(false)}
    />
  );
}

interface FileRowProps {
  userId: number;
  shared: SharedFile;
  busy: boolean;
}

/** A pending file, with its error and its progress. */
export function FileRow({ userId, shared, busy }: FileRowProps) {
  const refused = useStore($refused, { ssr: 'initial' }).get(shared.key);
  const sending = useStore($sending, { ssr: 'initial' });
  const { file } = shared;
  const wrong = refused ?? (problems(file).join(', ') || (file.size === 0 ? t.empty : ''));
  return (
    <li className="flex items-center gap-3 py-2 pr-1.5 pl-2.5">
      <Picture file={file} />
      <div className="min-w-0 flex-1">
        <span className="flex min-w-0">
          <MiddleCut text={file.name} />
        </span>
        {wrong && <span className="block text-sm text-pretty text-danger-text">{wrong}</span>}
        {sending?.key === shared.key ? (
          <ProgressBar
            value={sending.part}
            label={t.arrived(Math.floor(sending.part * 100))}
            className="mt-1.5 mb-1"
          />
        ) : (
          <span className="tabular block text-sm text-muted">{formatBytes(file.size)}</span>
        )}
      </div>
      <IconButton
        label={t.remove(file.name)}
        isDisabled={busy}
        onPress={() => void removeAll(userId, [shared])}
      >
        <X aria-hidden size={16} />
      </IconButton>
    </li>
  );
}
