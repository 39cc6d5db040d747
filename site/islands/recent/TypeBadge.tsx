import { fileGroup } from '../../lib/fileGroup.ts';

/** A file's extension in capitals, in the colour of its kind. */
export function TypeBadge({ fileType }: { fileType: string | null }) {
  return (
    <span className="type-badge" data-kind={fileGroup(fileType)}>
      {(fileType ?? '').toUpperCase()}
    </span>
  );
}
