import type { ReactNode } from 'react';
import { CornerDownRight, ListFilter } from 'lucide-react';
import { ListBoxItem } from 'react-aria-components/ListBox';
import { initials } from '#server/auth/contract.ts';
import * as t from '#messages/shell.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { describeClient, matchSegments, partOfSegments } from '../../lib/search.ts';
import { cx } from '../../lib/cx.ts';
import { placeOf } from '../../lib/placeOf.ts';
import { SentBackMark } from '../items/SentBackMark.tsx';
import { FoundLine as TextLine } from '../reading/FoundLine.tsx';
import type { Line as FoundLine } from './resultLines.ts';
import { statusText } from './resultLines.ts';
import type { SearchState } from './useSearch.ts';

const BOX =
  'flex cursor-default items-center gap-3 rounded-sm px-2 outline-none data-[focused]:bg-accent-soft';

/** A line of the search results. */
export function Row({ line, query }: { line: FoundLine; query: string }) {
  if (line.kind === 'item') {
    const { name, file_type } = line.item;
    return (
      <ListBoxItem id={line.id} textValue={name} className={cx(BOX, 'py-1.5')}>
        <FileGlyph fileType={file_type} size={20} />
        <Named name={name} query={query} under={<MiddleCut text={placeOf(line.item)} />} />
        <SentBackMark item={line.item} />
      </ListBoxItem>
    );
  }
  if (line.kind === 'client') {
    const { name } = line.client;
    return (
      <ListBoxItem id={line.id} textValue={name} className={cx(BOX, 'py-1.5')}>
        <Avatar initials={initials(name)} size="sm" />
        <Named name={name} query={query} under={describeClient(line.client)} />
      </ListBoxItem>
    );
  }
  if (line.kind === 'inside') {
    const { item, line: pieces } = line.hit;
    const place = placeOf(item);
    return (
      <ListBoxItem
        id={line.id}
        textValue={`${item.name}, ${place}: ${pieces.map(({ text }) => text).join('')}`}
        className={cx(BOX, 'py-1.5')}
      >
        <FileGlyph fileType={item.file_type} size={20} />
        <span className="min-w-0 flex-1">
          <MiddleCut text={item.name} className="font-medium" />
          <span className="block truncate text-xs text-muted">
            <MiddleCut text={place} />
          </span>
          <span dir="auto" className="block truncate text-xs text-muted">
            <TextLine hit={line.hit} />
          </span>
        </span>
        <SentBackMark item={item} />
      </ListBoxItem>
    );
  }
  if (line.kind === 'filter') {
    return (
      <ListBoxItem id={line.id} textValue={line.label} className={cx(BOX, 'py-1')}>
        <ListFilter aria-hidden size={16} className="shrink-0 text-muted" />
        <span className="min-w-0 truncate">{line.label}</span>
        {line.note && <span className="min-w-0 truncate text-xs text-muted">{line.note}</span>}
      </ListBoxItem>
    );
  }
  const record = line.kind === 'record';
  return (
    <ListBoxItem
      id={line.id}
      textValue={record ? t.filesOf(line.client.name) : line.text}
      {...(record && { 'aria-label': t.filesOf(line.client.name) })}
      className={cx(BOX, record ? 'py-1 text-sm text-muted' : 'py-2 text-sm font-medium text-accent-text')}
    >
      {record && <CornerDownRight aria-hidden size={14} className="ml-1.5 shrink-0" />}
      {record ? t.files : line.text}
    </ListBoxItem>
  );
}

const Named = ({ name, query, under }: { name: string; query: string; under: ReactNode }) => (
  <span className="min-w-0 flex-1">
    <MiddleCut
      text={name}
      className="font-medium"
      render={(part, start) =>
        partOfSegments(matchSegments(name, query), start, start + part.length).map(({ text, hit }, i) =>
          hit ? (
            <mark
              key={i}
              className="bg-transparent font-semibold text-accent-text underline underline-offset-2"
            >
              {text}
            </mark>
          ) : (
            <span key={i}>{text}</span>
          ),
        )
      }
    />
    <span className="block truncate text-xs text-muted">{under}</span>
  </span>
);

/** The text when there are no lines. */
export function Status({ search, query }: { search: SearchState; query: string }) {
  return (
    <p
      className={cx(
        'flex items-center gap-2 px-2 py-3',
        search.status === 'failed' ? 'text-danger-text' : 'text-muted',
      )}
    >
      {statusText(search, query)}
    </p>
  );
}
