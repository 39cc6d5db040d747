import type { RefObject } from 'react';
import { useEffect, useState } from 'react';
import { Maximize, Pause, Play, Volume2, VolumeX } from 'lucide-react';
import * as t from '#messages/preview.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { clockText, nextSpeed } from './playback.ts';
import { ViewerBar } from './ViewerBar.tsx';

const EVENTS = [
  'play',
  'pause',
  'timeupdate',
  'durationchange',
  'volumechange',
  'ratechange',
  'seeked',
  'ended',
];

interface Playing {
  paused: boolean;
  time: number;
  length: number;
  muted: boolean;
  speed: number;
}

const UNKNOWN: Playing = { paused: true, time: 0, length: Number.NaN, muted: false, speed: 1 };

/** The playback state, synchronised by the element's events, whatever starts or stops it. */
function usePlaying(video: RefObject<HTMLVideoElement | null>): Playing {
  const [playing, setPlaying] = useState(UNKNOWN);
  useEffect(() => {
    const element = video.current;
    if (!element) return undefined;
    const look = () =>
      setPlaying({
        paused: element.paused,
        time: element.currentTime,
        length: element.duration,
        muted: element.muted || element.volume === 0,
        speed: element.playbackRate,
      });
    for (const name of EVENTS) element.addEventListener(name, look);
    look();
    return () => {
      for (const name of EVENTS) element.removeEventListener(name, look);
    };
  }, [video]);
  return playing;
}

/** Plays or pauses; a failure to play is reported by the element's `error` event. */
export const toggle = (video: HTMLVideoElement | null): void => {
  if (video?.paused) video.play().catch(() => undefined);
  else video?.pause();
};

const change = (
  video: RefObject<HTMLVideoElement | null>,
  edit: (element: HTMLVideoElement) => void,
): void => {
  if (video.current) edit(video.current);
};

export function VideoBar({ video }: { video: RefObject<HTMLVideoElement | null> }) {
  const { paused, time, length, muted, speed } = usePlaying(video);
  const isLengthKnown = Number.isFinite(length);
  return (
    <ViewerBar label={t.video}>
      <IconButton label={paused ? t.play : t.pause} shortcut="Space" onPress={() => toggle(video.current)}>
        {paused ? <Play aria-hidden size={18} /> : <Pause aria-hidden size={18} />}
      </IconButton>
      <span className="px-1 text-xs whitespace-nowrap tabular">
        {clockText(time)} / {clockText(length)}
      </span>
      <input
        type="range"
        aria-label={t.position}
        aria-valuetext={t.timeOf(clockText(time), clockText(length))}
        className="w-28 min-w-0 flex-1 accent-(--accent-text) sm:w-64"
        min={0}
        max={isLengthKnown ? length : 0}
        step={0.1}
        value={isLengthKnown ? time : 0}
        disabled={!isLengthKnown}
        onChange={({ target }) =>
          change(video, (element) => {
            element.currentTime = Number(target.value);
          })
        }
      />
      <IconButton
        label={muted ? t.soundOn : t.soundOff}
        aria-pressed={muted}
        // Hidden on phones, which have volume keys.
        className="max-sm:hidden"
        onPress={() =>
          change(video, (element) => {
            element.muted = !muted;
          })
        }
      >
        {muted ? <VolumeX aria-hidden size={18} /> : <Volume2 aria-hidden size={18} />}
      </IconButton>
      <button
        type="button"
        aria-label={t.speed(String(speed))}
        className="viewer-figure tabular"
        onClick={() =>
          change(video, (element) => {
            element.playbackRate = nextSpeed(speed);
          })
        }
      >
        {speed}×
      </button>
      <IconButton
        label={t.fullScreen}
        onPress={() => void video.current?.requestFullscreen().catch(() => undefined)}
      >
        <Maximize aria-hidden size={18} />
      </IconButton>
    </ViewerBar>
  );
}
