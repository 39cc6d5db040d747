import type { TypeStat } from '#server/dashboard/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as t from '#messages/storage.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { GROUP_NAMES, fileGroup } from '../../lib/fileGroup.ts';
import { Card } from '../../components/Card.tsx';
import { byGroup } from './groups.ts';

const WIDTH = 1000;
const HEIGHT = 14;
const GAP = 3;
/** Minimum width of a segment, to be visible and clickable. */
const MIN_WIDTH = 6;

/** `12.3%`; `<0.1%` instead of 0. */
const percent = (share: number): string => (share < 0.0005 ? '<0.1%' : `${(share * 100).toFixed(1)}%`);

/** A bar chart of the space per kind of file, with its numbers as text below. */
function TypesBar({ types }: { types: readonly TypeStat[] }) {
  const groups = byGroup(types).filter(({ size }) => size > 0);
  const description = groups
    .map(({ group, share }) => t.share(GROUP_NAMES[group], (share * 100).toFixed(1)))
    .join(', ');
  const room = WIDTH - GAP * (groups.length - 1) - MIN_WIDTH * groups.length;
  const widths = groups.map(({ share }) => MIN_WIDTH + share * room);
  const parts = groups.map((group, index) => ({
    ...group,
    width: widths[index]!,
    x: widths.slice(0, index).reduce((sum, width) => sum + width + GAP, 0),
  }));
  return (
    <figure className="mb-4">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.byType(description)}
        className="h-3.5 w-full overflow-hidden rounded-full"
      >
        {parts.map(({ group, x, width, size }) => (
          <rect key={group} data-kind={group} x={x} width={width} height={HEIGHT} fill="var(--kind)">
            <title>{`${GROUP_NAMES[group]}: ${formatBytes(size)}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {groups.map(({ group, size, share }) => (
          <span key={group} data-kind={group} className="flex items-center gap-2">
            <span aria-hidden="true" className="size-2.5 rounded-xs bg-(--kind)" />
            {GROUP_NAMES[group]}
            <span className="tabular text-muted">
              {formatBytes(size)} · {percent(share)}
            </span>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

export function TypesCard({ types }: { types: readonly TypeStat[] }) {
  if (types.length === 0)
    return (
      <Card title={t.fileTypes}>
        <p className="text-muted">{t.noFiles}</p>
      </Card>
    );
  return (
    <Card title={t.fileTypes} aside={<span className="text-sm text-muted">{t.typeCount(types.length)}</span>}>
      <TypesBar types={types} />
      <ul aria-label={t.fileTypes} className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
        {types.map(({ type, count, formatted_size }) => (
          <li key={type}>
            <a
              href={`/documents?group=${fileGroup(type)}&sort=size`}
              className="flex h-10 items-center gap-3 border-t border-line text-text no-underline hover:bg-hover"
            >
              <FileGlyph fileType={type} size={18} className="shrink-0" />
              <span className="w-12 font-medium uppercase">{type}</span>
              <span className="tabular flex-1 truncate text-muted">{t.fileCount(count)}</span>
              <span className="tabular">{formatted_size}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
