import * as t from '#messages/preview.ts';
import { Spinner } from '../../components/Spinner.tsx';

/** In the middle of the preview, until there is something to show. */
export const Loading = () => (
  <div role="status" aria-label={t.loading} className="viewer-room text-muted">
    <Spinner />
  </div>
);
