import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Suspense } from 'react';
import { FileX } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import { previewKind } from '#server/documents/contract.ts';
import { hasThumbnail } from '#server/previews/contract.ts';
import * as t from '#messages/details.ts';
import { Alert } from '../../components/Alert.tsx';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { useMay } from '../../lib/useMay.ts';
import { itemDetails } from '../../lib/itemDetails.ts';
import { Thumbnail } from '../items/Thumbnail.tsx';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';
import { PARTS } from './sections.ts';

export interface ItemPartsProps {
  id: number;
  /** The item from the list, shown until the details are loaded. */
  listed: ItemView | undefined;
  screen: PartProps['screen'];
}

/** All sections of one item's details. */
export function ItemParts({ id, listed, screen }: ItemPartsProps) {
  const { data, error, isFetching, refetch } = useQuery(itemDetails(id));
  const may = useMay();
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState icon={<FileX size={26} />} title={t.gone}>
        {t.goneAbout}
      </EmptyState>
    );
  const item = data?.item ?? listed;
  const failed = error && (
    <Alert onRetry={() => void refetch()} retrying={isFetching} className="mx-4 mb-3">
      {messageOf(error, t.loadFailed)}
    </Alert>
  );
  if (!item)
    return (
      failed ?? (
        <Section title={t.facts} loading>
          {null}
        </Section>
      )
    );
  return (
    <>
      <Head icon={<FileGlyph fileType={item.type === 'folder' ? null : item.file_type} size={20} />}>
        {item.name}
      </Head>
      <Picture item={item} screen={screen} />
      {failed}
      {PARTS.filter(({ only, needs }) => (!only || only === item.type) && (!needs || may(needs))).map(
        ({ name, Part }) => (
          <ErrorBoundary
            key={name}
            fallback={
              <Section title={t.title} error={t.sectionFailed}>
                {null}
              </Section>
            }
          >
            <Suspense
              fallback={
                <Section title={t.title} loading>
                  {null}
                </Section>
              }
            >
              <Part item={item} details={data} screen={screen} />
            </Suspense>
          </ErrorBoundary>
        ),
      )}
    </>
  );
}

/** The heading with the subject's name. */
export const Head = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <div className="flex items-start gap-2.5 px-4 pt-1 pb-3">
    <span className="flex h-6 shrink-0 items-center">{icon}</span>
    <p dir="auto" className="min-w-0 text-lg leading-6 font-semibold break-words">
      {children}
    </p>
  </div>
);

/** A file's thumbnail, which opens the preview. */
function Picture({ item, screen }: Pick<PartProps, 'item' | 'screen'>) {
  if (item.type === 'folder' || !hasThumbnail(item.file_type, item.file_size)) return null;
  const box =
    'relative mx-4 mb-3 flex h-40 w-[calc(100%-2rem)] items-center justify-center overflow-hidden rounded-md border border-line bg-sunken';
  if (!screen || previewKind(item.file_type) === null)
    return (
      <div className={box}>
        <Thumbnail item={item} />
      </div>
    );
  return (
    <button
      type="button"
      aria-label={t.openPreview(item.name)}
      className={`${box} hover:border-line-strong`}
      onClick={() => screen.open(item)}
    >
      <Thumbnail item={item} />
    </button>
  );
}
