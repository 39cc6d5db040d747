import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { navigate } from 'astro:transitions/client';
import * as common from '#messages/common.ts';
import { toast } from './toast.ts';
import { $outdated, isOtherVersion } from './update.ts';

/** Asked before a screen changes; whoever can show the address in place calls `preventDefault`. */
export type OpenPageEvent = CustomEvent<{ href: string }>;

/** Goes to an address of ours without a full load, so that uploads go on. */
export function openPage(href: string): void {
  const event: OpenPageEvent = new CustomEvent('open-address', { detail: { href }, cancelable: true });
  if (document.dispatchEvent(event)) void navigate(href);
}

/** Calls `onPlace` for links to what `read` knows, wherever on the page they stand, and for what opens an address. */
export function interceptLinks<Place>(
  read: (url: URL) => Place | null,
  onPlace: (place: Place) => void,
): () => void {
  const take = (href: string, event: Event) => {
    const place = read(new URL(href, location.href));
    if (!place) return;
    event.preventDefault();
    onPlace(place);
  };
  const listen = (event: MouseEvent) => {
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || event.button !== 0 || modified) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const ours = link && !link.target && link.origin === location.origin;
    if (ours && !link.hasAttribute('download') && !link.hasAttribute('data-open')) take(link.href, event);
  };
  const listenOpen = (event: Event) => take((event as OpenPageEvent).detail.href, event);
  document.addEventListener('click', listen, { capture: true });
  document.addEventListener('open-address', listenOpen);
  return () => {
    document.removeEventListener('click', listen, { capture: true });
    document.removeEventListener('open-address', listenOpen);
  };
}

const answers = () =>
  fetch('/robots.txt', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/**
 * Marks the document while the next screen is on its way: a bar says so, as the browser would on a full load. Where
 * nobody answers, the screen that is there stays, with its uploads, in place of the browser's page about that.
 */
export function showNavigationProgress(): void {
  let latest: unknown;
  const listen = (event: Event) => {
    const preparation = event as TransitionBeforePreparationEvent;
    const { loader } = preparation;
    latest = preparation;
    preparation.loader = async () => {
      document.documentElement.dataset.leaving = '';
      try {
        await loader();
        if (!preparation.defaultPrevented && isOtherVersion(preparation.newDocument)) {
          // Islands of two versions would not know of each other; where uploads go on, the browser asks first.
          $outdated.set('update');
          if (preparation.navigationType === 'traverse') location.reload();
          else location.assign(preparation.to);
        } else {
          // The router takes anything but a screen for something to load in full.
          const refused = preparation.defaultPrevented && preparation.navigationType !== 'traverse';
          if (!refused || preparation.signal.aborted || (await answers())) return;
          toast.error(common.networkError, { description: common.serverSilent });
        }
      } finally {
        // Another screen may have been asked for meanwhile.
        if (latest === preparation) delete document.documentElement.dataset.leaving;
      }
      // The next navigation lets go of it.
      await new Promise(() => {});
    };
  };
  // First of all: whoever keeps the router out puts a loader that never ends.
  document.addEventListener('astro:before-preparation', listen, { capture: true });
}
