import type { ItemView } from '#server/documents/contract.ts';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { formatDate } from '../../lib/format.ts';
import { highlightHref, locationLabel } from '../../lib/search.ts';

/** A file's name, which leads to its folder, above its day and its place. */
export function FileLink({ file }: { file: ItemView }) {
  const location = locationLabel(file);
  return (
    <div className="min-w-0 flex-1">
      <a
        href={highlightHref(file)}
        className="flex min-w-0 rounded-xs text-text no-underline hover:underline hover:underline-offset-2"
      >
        <MiddleCut text={file.name} />
      </a>
      <p className="flex text-xs whitespace-pre text-muted">
        {`${formatDate(file.modified_at)} · `}
        <MiddleCut text={location} />
      </p>
    </div>
  );
}
