import type { KeptFile } from '#server/documents/retention/contract.ts';
import * as t from '#messages/retention.ts';
import { Badge } from '../../components/Badge.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { formatIsoDate } from '../../lib/retention.ts';
import { highlightHref, locationLabel } from '../../lib/search.ts';

interface KeptRowProps {
  file: KeptFile;
  /** It can be chosen, since its time has run out. */
  choosable: boolean;
  chosen: boolean;
  onChoose: (on: boolean) => void;
}

const STAYS = { held: t.held, sealed: t.sealed } as const;

/** A file under a rule: where it is, and until when it is kept. */
export function KeptRow({ file, choosable, chosen, onChoose }: KeptRowProps) {
  const day = file.until === null ? t.noDay : (choosable ? t.was : t.until)(formatIsoDate(file.until));
  return (
    <li className="flex min-h-12 items-center gap-3 py-1.5">
      {choosable && (
        <Checkbox
          aria-label={t.choose(file.name)}
          isDisabled={file.stays !== null}
          isSelected={chosen}
          onChange={onChoose}
          className="pointer-coarse:p-2"
        />
      )}
      <FileGlyph fileType={file.file_type} size={18} className="shrink-0" />
      <div className="min-w-0 flex-1">
        <a
          href={highlightHref(file)}
          className="flex min-w-0 rounded-xs text-text no-underline hover:underline hover:underline-offset-2"
        >
          <MiddleCut text={file.name} />
        </a>
        <p className="truncate text-xs text-muted" title={locationLabel(file)}>
          {file.rule} · {locationLabel(file)}
        </p>
      </div>
      {file.stays && <Badge tone="warning">{STAYS[file.stays]}</Badge>}
      <p className="tabular shrink-0 text-right text-sm">
        {day}
        <span className="block text-xs text-muted">{file.formatted_bytes}</span>
      </p>
    </li>
  );
}
