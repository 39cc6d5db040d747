import type { CSSProperties } from 'react';
import { useEffect } from 'react';
import { Toaster as Sonner } from 'sonner';
import * as common from '#messages/common.ts';
// What sonner puts into the head by itself is gone as soon as the router has moved to another screen.
import 'sonner/dist/styles.css';
import { showFlash } from '../lib/toast.ts';

const COLOURS = {
  '--width': '356px',
  '--normal-bg': 'var(--raised)',
  '--normal-text': 'var(--text)',
  '--normal-border': 'var(--line)',
  '--border-radius': '8px',
} as CSSProperties;

/** Where toasts appear. One per page, in the layout; `toast` comes from lib/toast.ts. */
export function Toaster() {
  useEffect(showFlash, []);
  return (
    // Stays within reach, and open to a click, while a dialog makes the rest of the page inert.
    <div data-react-aria-top-layer="true">
      <Sonner
        containerAriaLabel={common.notifications}
        toastOptions={{ closeButtonAriaLabel: common.closeToast }}
        position="top-right"
        closeButton
        visibleToasts={5}
        duration={4000}
        gap={14}
        offset={24}
        mobileOffset={16}
        style={COLOURS}
      />
    </div>
  );
}
