import { useQuery } from '@tanstack/react-query';
import type { Sums } from '#server/documents/details/contract.ts';
import { COUNTED_MOST } from '#server/documents/details/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as t from '#messages/details.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { fileGroup, GROUP_NAMES } from '../../lib/fileGroup.ts';
import type { FileGroup } from '../../lib/fileGroup.ts';
import { formatCount } from '../../lib/format.ts';
import { clientHref } from '../../lib/search.ts';
import { calls, sumsKey } from './calls.ts';
import { Fact, Section } from './Section.tsx';

export interface SumsSectionProps {
  title: string;
  /** Empty for all of 'My Drive'. */
  ids: readonly number[];
  /** Whether the totals are of a folder's contents, without the folder itself. */
  inside?: boolean;
}

/** Kinds and clients listed by name; the others are only counted. */
const NAMED = 5;

/** Totals of items including their contents: count, size, kinds and clients. */
export function SumsSection({ title, ids, inside = false }: SumsSectionProps) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: sumsKey(ids),
    queryFn: ({ signal }) => calls.sums(ids, signal),
  });
  return (
    <Section
      title={title}
      loading={data === undefined}
      error={error}
      onRetry={() => void refetch()}
      retrying={isFetching}
    >
      {data && <SumsList sums={data} inside={inside} />}
    </Section>
  );
}

interface Kind {
  group: FileGroup;
  files: number;
  bytes: number;
}

/** Sums the extensions by kind, the largest first. */
function kindsOf(types: Sums['types']): Kind[] {
  const kinds = new Map<FileGroup, Kind>();
  for (const { file_type, files, bytes } of types) {
    const group = fileGroup(file_type);
    const sum = kinds.get(group) ?? { group, files: 0, bytes: 0 };
    kinds.set(group, { group, files: sum.files + files, bytes: sum.bytes + bytes });
  }
  return [...kinds.values()].toSorted((a, b) => b.bytes - a.bytes || b.files - a.files);
}

function SumsList({ sums, inside }: { sums: Sums; inside: boolean }) {
  const { files, bytes, formatted_bytes, types, clients, client_count, more } = sums;
  const folders = sums.folders === null ? null : sums.folders - (inside ? 1 : 0);
  if (inside && files === 0 && folders === 0) return <p className="text-muted">{t.empty}</p>;
  const kinds = kindsOf(types);
  // A folder's own client is shown in the Client section.
  const owners = inside && client_count === 1 ? [] : (clients ?? []);
  const others = client_count - Math.min(owners.length, NAMED);
  return (
    <>
      {more && <p className="pb-1 text-sm text-muted">{t.moreThan(COUNTED_MOST)}</p>}
      <dl>
        <Fact term={t.files}>{formatCount(files)}</Fact>
        {folders !== null && folders > 0 && <Fact term={t.folders}>{formatCount(folders)}</Fact>}
        <Fact term={t.totalSize}>
          <span title={t.sizeExactly(formatted_bytes, bytes)}>{formatted_bytes}</span>
        </Fact>
      </dl>
      {kinds.length > 0 && (
        <ul aria-label={t.types} className="pt-1">
          {kinds.slice(0, NAMED).map((kind) => (
            <li key={kind.group} className="flex min-h-7 items-center gap-2">
              <FileGlyph
                fileType={types.find(({ file_type }) => fileGroup(file_type) === kind.group)!.file_type}
                size={16}
                className="shrink-0"
              />
              <span className="min-w-0 flex-1 truncate">{GROUP_NAMES[kind.group]}</span>
              <span className="tabular text-sm text-muted">
                {t.filesOf(kind.files)} · {formatBytes(kind.bytes)}
              </span>
            </li>
          ))}
          {kinds.length > NAMED && (
            <li className="py-1 text-sm text-muted">{t.otherTypes(kinds.length - NAMED)}</li>
          )}
        </ul>
      )}
      {owners.length > 0 && (
        <>
          <h4 className="pt-2 text-sm text-muted">{t.clients}</h4>
          <ul aria-label={t.clients}>
            {owners.slice(0, NAMED).map(({ id, name, items }) => (
              <li key={id ?? 0} className="flex min-h-7 items-center gap-2">
                {id === null ? (
                  <span className="min-w-0 flex-1 truncate">{t.noClient}</span>
                ) : (
                  <a href={clientHref(id)} className="link min-w-0 flex-1 truncate">
                    {name}
                  </a>
                )}
                <span className="tabular text-sm text-muted">{t.itemsOf(items)}</span>
              </li>
            ))}
            {others > 0 && <li className="py-1 text-sm text-muted">{t.otherClients(others)}</li>}
          </ul>
        </>
      )}
    </>
  );
}
