import * as t from '#messages/preview.ts';
import { Spinner } from '../../components/Spinner.tsx';

/** The preview's loading state. */
export const Loading = () => (
  <div role="status" aria-label={t.loading} className="viewer-room text-muted">
    <Spinner />
  </div>
);
