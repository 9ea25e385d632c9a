import { useEffect, useRef } from 'preact/hooks';
import { useSurroundings } from './surroundings.ts';

/** Runs a read again and again while the page is visible, one at a time. A failure waits for the next turn. */
export const useLive = (readAgain: () => Promise<void>, everyMs: number): void => {
  const latest = useRef(readAgain);
  latest.current = readAgain;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const wait = () => {
      timer = setTimeout(async () => {
        if (document.visibilityState === 'visible') await latest.current().catch(() => undefined);
        if (!isOver) wait();
      }, everyMs);
    };
    wait();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [everyMs]);
};

/** Says whether the list follows by itself, and the zone of its times. */
export const Live = ({ everyMs }: { readonly everyMs: number }) => {
  const { isDown, timeZone } = useSurroundings();
  return (
    <p
      class={isDown ? 'live down' : 'live'}
      title={`New rows appear by themselves, every ${everyMs / 1_000} seconds while this page is visible.`}
    >
      {isDown ? 'Not live' : 'Live'} <span>· times in {timeZone}</span>
    </p>
  );
};
