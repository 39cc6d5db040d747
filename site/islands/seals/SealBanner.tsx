import { Lock } from 'lucide-react';
import type { SealMark } from '#server/documents/seals/contract.ts';
import * as t from '#messages/seals.ts';
import { Button } from '../../components/Button.tsx';
import { sealText } from './SealBadge.tsx';

/** The banner above the contents of a sealed folder. */
export const SealBanner = ({ seal, onDetails }: { seal: SealMark; onDetails: () => void }) => (
  <div
    role="status"
    className="mt-2 flex items-start gap-2.5 rounded-md border border-line bg-sunken px-3 py-2.5"
  >
    <Lock aria-hidden size={16} className="mt-0.5 shrink-0 text-muted" />
    <p className="min-w-0 flex-1 text-pretty break-words">
      <span className="font-medium">{sealText(seal)}</span>
      {' · '}
      <span className="text-muted">{t.nothingChanges}</span>
    </p>
    <Button size="sm" onPress={onDetails} className="-my-1">
      {t.details}
    </Button>
  </div>
);
