import { Lightbulb, X } from 'lucide-react';
import * as t from '#messages/recent.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { toggleTips } from '../../lib/preferences.ts';

export const Tips = () => (
  <aside
    aria-label={t.tips}
    className="tips shrink-0 rounded-lg border border-line px-4 py-3 xl:mt-1 xl:w-68"
  >
    <div className="flex items-center gap-2">
      <Lightbulb aria-hidden size={16} className="text-warning" />
      <h2 className="flex-1 text-sm font-semibold">{t.tips}</h2>
      <IconButton label={t.hideTips} size="sm" onPress={toggleTips} className="-mr-2">
        <X aria-hidden size={16} />
      </IconButton>
    </div>
    <ul className="mt-2 flex list-disc flex-col gap-1.5 pl-4 text-sm text-pretty text-muted marker:text-line-strong">
      {t.allTips.map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
  </aside>
);
