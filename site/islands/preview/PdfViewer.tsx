import * as t from '#messages/preview.ts';
import { Failure } from './Failure.tsx';
import type { ViewerProps } from './ImageViewer.tsx';
import { Loading } from './Loading.tsx';
import { PdfDocument } from './PdfDocument.tsx';
import { PdfPassword } from './PdfPassword.tsx';
import { useScanText } from './scanWords.ts';
import { usePdf } from './usePdf.ts';

/** Must get another `key` with another `url`. */
export default function PdfViewer({ item, url, onRetry }: ViewerProps) {
  const opening = usePdf(url);
  const scanText = useScanText(item);
  if (opening.state === 'open')
    return <PdfDocument pdf={opening.pdf} size={opening.size} itemId={item.id} scanText={scanText} />;
  if (opening.state === 'failed') return <Failure title={t.pdfFailed} item={item} onRetry={onRetry} />;
  if (opening.state === 'locked') return <PdfPassword again={opening.again} onAnswer={opening.answer} />;
  return <Loading />;
}
