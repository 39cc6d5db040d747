import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { navigate } from 'astro:transitions/client';
import * as common from '#messages/common.ts';
import { toast } from './toast.ts';
import { $outdated, isOtherVersion } from './update.ts';

const OPEN_PAGE = 'open-address';

/** Dispatched before a navigation; a listener that can show the URL in place calls `preventDefault`. */
type OpenPageEvent = CustomEvent<{ href: string }>;

/** Navigates within the site without a full page load, so that uploads continue. @param replace takes the place of the current history entry. */
export function openPage(href: string, { replace = false } = {}): void {
  const event: OpenPageEvent = new CustomEvent(OPEN_PAGE, { detail: { href }, cancelable: true });
  if (document.dispatchEvent(event)) void navigate(href, { history: replace ? 'replace' : 'auto' });
}

/**
 * Intercepts clicks on links, and calls of `openPage`, whose URL `parse` recognises. @returns unsubscribe.
 */
export function interceptLinks<Target>(
  parse: (url: URL) => Target | null,
  onOpen: (target: Target) => void,
): () => void {
  const intercept = (href: string, event: Event) => {
    const target = parse(new URL(href, location.href));
    if (!target) return;
    event.preventDefault();
    onOpen(target);
  };
  const onClick = (event: MouseEvent) => {
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || event.button !== 0 || modified) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isInternal = link && !link.target && link.origin === location.origin;
    if (isInternal && !link.hasAttribute('download') && !link.hasAttribute('data-open'))
      intercept(link.href, event);
  };
  const onOpenPage = (event: Event) => intercept((event as OpenPageEvent).detail.href, event);
  document.addEventListener('click', onClick, { capture: true });
  document.addEventListener(OPEN_PAGE, onOpenPage);
  return () => {
    document.removeEventListener('click', onClick, { capture: true });
    document.removeEventListener(OPEN_PAGE, onOpenPage);
  };
}

const isServerReachable = () =>
  fetch('/robots.txt', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/**
 * Shows a progress bar while the next screen loads. If the server is unreachable, the current screen stays, with its
 * uploads, instead of the browser's error page.
 */
export function showNavigationProgress(): void {
  let latest: unknown;
  const onPreparation = (event: Event) => {
    const preparation = event as TransitionBeforePreparationEvent;
    const { loader } = preparation;
    latest = preparation;
    preparation.loader = async () => {
      document.documentElement.dataset.leaving = '';
      try {
        await loader();
        if (!preparation.defaultPrevented && isOtherVersion(preparation.newDocument)) {
          // Islands of two versions cannot share state, so load in full; with uploads running the browser asks first.
          $outdated.set('update');
          if (preparation.navigationType === 'traverse') location.reload();
          else location.assign(preparation.to);
        } else {
          // The router falls back to a full load for any response that is not a page, also if there is no response.
          const isFullLoad = preparation.defaultPrevented && preparation.navigationType !== 'traverse';
          if (!isFullLoad || preparation.signal.aborted || (await isServerReachable())) return;
          toast.error(common.networkError, { description: common.serverSilent });
        }
      } finally {
        // A later navigation may have started meanwhile.
        if (latest === preparation) delete document.documentElement.dataset.leaving;
      }
      // Suspends this navigation; the next one drops the promise.
      await new Promise(() => {});
    };
  };
  // In the capture phase, before `interceptTraversal` can replace the loader by one that never resolves.
  document.addEventListener('astro:before-preparation', onPreparation, { capture: true });
}
