import type { CSSProperties } from 'react';
import { Toaster as Sonner } from 'sonner';
import * as common from '#messages/common.ts';

const COLOURS = {
  '--width': '356px',
  '--normal-bg': 'var(--raised)',
  '--normal-text': 'var(--text)',
  '--normal-border': 'var(--line)',
  '--border-radius': '8px',
} as CSSProperties;

/** The toasts; Toaster loads and mounts them with the first one. */
export const Toasts = () => (
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
);
