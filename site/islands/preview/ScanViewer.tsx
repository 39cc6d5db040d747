import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import type { PagesView } from '#server/previews/contract.ts';
import { pagesUrl, pageUrl } from '#server/previews/contract.ts';
import * as t from '#messages/preview.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { api } from '../../lib/api.ts';
import { parseTextMatch } from '../../lib/driveLocation.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { Loading } from './Loading.tsx';
import { ImageViewer } from './ImageViewer.tsx';
import { isElsewhere } from './isElsewhere.ts';
import { PageField } from './PageField.tsx';
import { ReadFailure } from './ReadFailure.tsx';
import { usePlaces } from './scanWords.ts';
import { useSource } from './source.ts';
import { useHighlight } from './useHighlight.ts';

/** A scan in a format that browsers do not display (TIFF, HEIC); the server converts each page into a picture. */
export function ScanViewer({ item }: { item: ItemView }) {
  // The text match in the URL belongs to this file; another file mounts another viewer.
  const [sought] = useState(() => parseTextMatch(new URL(location.href)));
  const [page, setPage] = useState(sought?.page ?? 1);
  const found = usePlaces(item, sought, page);
  const [attempt, setAttempt] = useState(0);
  const source = useSource(item);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['link', item.id, 'pages', source, item.modified_at],
    queryFn: () => api.get<PagesView>(pagesUrl(source)),
  });
  const count = data?.pages ?? 0;
  const lit = useHighlight(item.id);
  const [followed, setFollowed] = useState<typeof lit>(null);
  if (lit && lit !== followed) {
    setFollowed(lit);
    setPage(lit.page);
  }
  const turn = (to: number) => setPage(Math.min(Math.max(to, 1), count));

  useDocumentEvent('keydown', (event) => {
    if (isElsewhere(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== 'PageDown' && event.key !== 'PageUp') return;
    event.preventDefault();
    turn(page + (event.key === 'PageDown' ? 1 : -1));
  });

  if (error) return <ReadFailure error={error} item={item} onRetry={() => void refetch()} />;
  if (isPending) return <Loading />;
  const urls = Array.from({ length: count }, (_, index) => pageUrl(source, index + 1));
  return (
    <ImageViewer
      key={attempt}
      item={item}
      url={urls[page - 1] ?? ''}
      prints={urls}
      page={page}
      found={found}
      onRetry={() => setAttempt(attempt + 1)}
      before={
        count > 1 && (
          <>
            <span className="contents max-sm:hidden">
              <IconButton
                label={t.previousPage}
                shortcut="PgUp"
                isDisabled={page <= 1}
                onPress={() => turn(page - 1)}
              >
                <ChevronUp aria-hidden size={18} />
              </IconButton>
            </span>
            <PageField page={page} count={count} onGo={turn} />
            <span className="contents max-sm:hidden">
              <IconButton
                label={t.nextPage}
                shortcut="PgDn"
                isDisabled={page >= count}
                onPress={() => turn(page + 1)}
              >
                <ChevronDown aria-hidden size={18} />
              </IconButton>
            </span>
            <span className="viewer-break" />
          </>
        )
      }
    />
  );
}
