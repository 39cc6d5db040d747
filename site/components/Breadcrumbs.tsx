import type { MouseEvent, ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import * as common from '#messages/common.ts';
import { cx } from '../lib/cx.ts';

export interface Crumb {
  id: number | string;
  name: string;
  href: string;
}

export interface BreadcrumbsProps {
  /** From the root to the current page. */
  crumbs: readonly Crumb[];
  /** Handles plain clicks. Clicks with a modifier key, and all clicks without this handler, follow the link. */
  onAction?: (id: Crumb['id']) => void;
  /** Wraps a crumb's link, e.g. in a drop target. */
  renderCrumb?: (crumb: Crumb, link: ReactNode) => ReactNode;
  className?: string;
}

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

export function Breadcrumbs({ crumbs, onAction, renderCrumb, className }: BreadcrumbsProps) {
  const here = crumbs.at(-1);
  const follow = (event: MouseEvent, id: Crumb['id']) => {
    if (!onAction || !isPlain(event)) return;
    event.preventDefault();
    onAction(id);
  };
  const linkTo = (crumb: Crumb) => (
    <a
      href={crumb.href}
      title={crumb.name}
      aria-current={crumb === here ? 'page' : undefined}
      onClick={(event) => follow(event, crumb.id)}
      className={cx(
        'block truncate rounded-xs px-1.5 py-1 no-underline pointer-coarse:py-3',
        crumb === here ? 'font-semibold text-text' : 'text-muted hover:bg-hover hover:text-text',
      )}
    >
      {crumb.name}
    </a>
  );
  return (
    <nav aria-label={common.breadcrumbs} className={cx('min-w-0', className)}>
      <ol className="crumbs text-base">
        {crumbs.map((crumb) => (
          <li key={crumb.id}>
            {renderCrumb ? renderCrumb(crumb, linkTo(crumb)) : linkTo(crumb)}
            {crumb !== here && <ChevronRight aria-hidden size={14} className="shrink-0 text-muted" />}
          </li>
        ))}
      </ol>
    </nav>
  );
}
