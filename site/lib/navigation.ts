import { navigate } from 'astro:transitions/client';

/** Asked before a screen changes; whoever can show the address in place calls `preventDefault`. */
export type OpenEvent = CustomEvent<{ href: string }>;

/** Goes to an address of ours without a full load, so that uploads go on. */
export function open(href: string): void {
  const event: OpenEvent = new CustomEvent('open-address', { detail: { href }, cancelable: true });
  if (document.dispatchEvent(event)) void navigate(href);
}
