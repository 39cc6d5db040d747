import type { ReactNode } from 'react';
import { Maximize2, Minus, Plus, Printer, RotateCcw, RotateCw } from 'lucide-react';
import * as t from '#messages/preview.ts';
import { IconButton } from '../../components/IconButton.tsx';

/** The viewer's controls, at the bottom of the layer. They can be hidden by its width (`@max-xl:hidden`), beside the values too. */
export const ViewerBar = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="viewer-foot">
    <div role="toolbar" aria-label={label} className="viewer-bar">
      {children}
    </div>
  </div>
);

/** Hidden on phones, where space is scarce and printers are rare. */
export const PrintButton = ({ onPress }: { onPress: () => void }) => (
  <IconButton label={t.print} onPress={onPress} className="max-sm:hidden">
    <Printer aria-hidden size={18} />
  </IconButton>
);

export const FitWidthButton = ({ isOn, onPress }: { isOn: boolean; onPress: () => void }) => (
  <IconButton label={t.fitWidth} shortcut="0" active={isOn} aria-pressed={isOn} onPress={onPress}>
    <Maximize2 aria-hidden size={18} />
  </IconButton>
);

/** `onRotate` gets quarter turns, clockwise. */
export const RotateButtons = ({ onRotate }: { onRotate: (quarters: number) => void }) => (
  <>
    <IconButton label={t.rotateLeft} shortcut="Shift+R" onPress={() => onRotate(-1)}>
      <RotateCcw aria-hidden size={18} />
    </IconButton>
    <IconButton label={t.rotateRight} shortcut="R" onPress={() => onRotate(1)}>
      <RotateCw aria-hidden size={18} />
    </IconButton>
  </>
);

export interface ZoomButtonsProps {
  /** 1 is 100 %. */
  zoom: number;
  least: number;
  most: number;
  onZoom: (steps: number) => void;
  onReset: () => void;
}

export const ZoomButtons = ({ zoom, least, most, onZoom, onReset }: ZoomButtonsProps) => (
  <>
    <IconButton label={t.zoomOut} shortcut="−" isDisabled={zoom <= least} onPress={() => onZoom(-1)}>
      <Minus aria-hidden size={18} />
    </IconButton>
    <button
      type="button"
      aria-label={t.resetZoom(Math.round(zoom * 100))}
      onClick={onReset}
      className="viewer-figure tabular"
    >
      {Math.round(zoom * 100)}%
    </button>
    <IconButton label={t.zoomIn} shortcut="+" isDisabled={zoom >= most} onPress={() => onZoom(1)}>
      <Plus aria-hidden size={18} />
    </IconButton>
  </>
);
