import type { KeptFile } from '#server/documents/retention/contract.ts';
import * as t from '#messages/retention.ts';
import { Badge } from '../../components/Badge.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { formatDate } from '../../lib/format.ts';
import { highlightHref, locationLabel } from '../../lib/search.ts';

interface KeptRowProps {
  file: KeptFile;
  /** Whether the file can be selected for destruction: its retention period has ended. */
  selectable: boolean;
  chosen: boolean;
  onChoose: (on: boolean) => void;
}

const STAYS = { held: t.held, sealed: t.sealed } as const;

/** A file under a retention rule, with its folder and the end of its retention. */
export function KeptRow({ file, selectable, chosen, onChoose }: KeptRowProps) {
  const day = file.until === null ? t.noDay : (selectable ? t.ranOutOnDay : t.until)(formatDate(file.until));
  const place = locationLabel(file);
  const fullName = t.fileAt(file.name, place, day);
  return (
    <li className="flex min-h-12 items-center gap-3 py-1.5">
      {selectable && (
        <Checkbox
          aria-label={t.choose(fullName)}
          isDisabled={file.stays !== null}
          isSelected={chosen}
          onChange={onChoose}
          className="pointer-coarse:p-2"
        />
      )}
      <FileGlyph fileType={file.file_type} size={18} className="shrink-0" />
      <div className="min-w-0 flex-1 sm:flex sm:items-center sm:gap-3">
        <div className="min-w-0 flex-1">
          <a
            href={highlightHref(file)}
            aria-label={fullName}
            className="flex min-w-0 rounded-xs text-text no-underline hover:underline hover:underline-offset-2"
          >
            <MiddleCut text={file.name} />
          </a>
          <p className="truncate text-xs text-muted" title={place}>
            {file.rule} · {place}
          </p>
        </div>
        {file.stays && <Badge tone="warning">{STAYS[file.stays]}</Badge>}
        <p className="tabular flex shrink-0 flex-wrap items-baseline gap-x-2 text-sm sm:block sm:text-right">
          {day}
          <span className="block text-xs text-muted">{file.formatted_bytes}</span>
        </p>
      </div>
    </li>
  );
}
