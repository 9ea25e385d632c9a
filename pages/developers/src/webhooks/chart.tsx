import { useState } from 'preact/hooks';
import { useSurroundings } from '../ui/surroundings.ts';
import { type Hour, hourMs, type LastDay } from './last-day.ts';
import { scaleOf } from './scale.ts';

const outcomes = ['delivered', 'retried', 'failed'] as const;
const labels = { delivered: 'Delivered', retried: 'Retried', failed: 'Failed' } as const;

/** Hours between two labels of the axis. */
const labelEvery = 3;

const totalOf = (hour: Hour): number => hour.delivered + hour.retried + hour.failed;
const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`;

/** Where the arrow keys lead. */
const step: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => Math.max(0, at - 1),
  ArrowDown: (at) => Math.max(0, at - 1),
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at, last) => Math.min(last, at + 1),
  Home: () => 0,
  End: (_, last) => last,
};

interface BarsProps {
  readonly hours: readonly Hour[];
  /** Counts of the lines behind the bars, from 0. */
  readonly scale: readonly number[];
  /** The hour whose counts are shown. */
  readonly chosen: number | undefined;
  readonly onChoose: (at: number | undefined) => void;
  /** The counts of an hour in words. */
  readonly wordsOf: (hour: Hour) => string;
}

/** A bar an hour, of which the pointer or the arrow keys choose one. */
const Bars = ({ hours, scale, chosen, onChoose, wordsOf }: BarsProps) => {
  const last = hours.length - 1;
  const at = chosen ?? last;
  const point = ({ clientX, currentTarget }: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onChoose(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * hours.length))));
  };
  const shownHour = hours[at];
  return (
    <div
      class="bars"
      role="slider"
      tabIndex={0}
      aria-label="Deliveries by hour"
      aria-valuemin={1}
      aria-valuemax={hours.length}
      aria-valuenow={at + 1}
      aria-valuetext={shownHour && wordsOf(shownHour)}
      style={{ '--intervals': scale.length - 1 }}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={({ pointerType, currentTarget }) => {
        // A finger leaves when it is lifted.
        if (pointerType === 'mouse' && currentTarget !== document.activeElement) onChoose(undefined);
      }}
      onFocus={() => onChoose(at)}
      onBlur={() => onChoose(undefined)}
      onKeyDown={(event) => {
        const next = step[event.key]?.(at, last);
        if (next === undefined) return;
        event.preventDefault();
        onChoose(next);
      }}
    >
      {hours.map((hour, index) => (
        <div key={hour.startMs} class={index === chosen ? 'bar chosen' : 'bar'}>
          {outcomes.map(
            (outcome) =>
              hour[outcome] > 0 && (
                <i key={outcome} class={`bar-${outcome}`} style={{ height: percent(hour[outcome], scale.at(-1) ?? 1) }} />
              ),
          )}
        </div>
      ))}
    </div>
  );
};

/** The deliveries of the last day by hour. Its legend has the counts of the chosen hour, or their sums. */
export const Chart = ({ lastDay: { hours, isPartial } }: { readonly lastDay: LastDay }) => {
  const { formatClock, formatHour, formatNumber } = useSurroundings();
  const [chosen, setChosen] = useState<number>();
  const scale = scaleOf(Math.max(...hours.map(totalOf)));
  const nameOf = ({ startMs }: Hour): string => formatHour(startMs, startMs + hourMs);
  const countsOf = (counted: readonly Hour[]) =>
    outcomes.map((outcome) => ({ outcome, count: counted.reduce((sum, hour) => sum + hour[outcome], 0) }));
  const wordsOf = (hour: Hour): string =>
    `${nameOf(hour)}: ${countsOf([hour])
      .map(({ outcome, count }) => `${formatNumber(count)} ${labels[outcome].toLowerCase()}`)
      .join(', ')}`;
  const hour = chosen === undefined ? undefined : hours[chosen];
  return (
    <figure class="chart">
      <figcaption>
        <h3>{hour ? nameOf(hour) : 'Last 24 hours'}</h3>
        <ul class="legend">
          {countsOf(hour ? [hour] : hours).map(({ outcome, count }) => (
            <li key={outcome}>
              <i class={`key-${outcome}`} />
              {labels[outcome]} <strong>{formatNumber(count)}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot">
        <div class="counts" aria-hidden="true">
          {scale.map((count) => (
            <span key={count}>{formatNumber(count)}</span>
          ))}
        </div>
        <Bars hours={hours} scale={scale} chosen={chosen} onChoose={setChosen} wordsOf={wordsOf} />
        <div class="hours" aria-hidden="true">
          {hours.map(
            ({ startMs }, at) =>
              at % labelEvery === 0 && (
                <span key={startMs} style={{ left: percent(at, hours.length) }}>
                  {formatClock(startMs)}
                </span>
              ),
          )}
          <span class="now">now</span>
        </div>
      </div>
      {isPartial && <p class="hint">Only the newest 1,000 deliveries of each endpoint are counted.</p>}
    </figure>
  );
};
