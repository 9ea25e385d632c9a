import { useSurroundings } from '../ui/surroundings.ts';
import type { Hour, LastDay } from './last-day.ts';

const outcomes = ['delivered', 'retried', 'failed'] as const;
const labels = { delivered: 'Delivered', retried: 'Retried', failed: 'Failed' } as const;

const width = 720;
const height = 96;
const step = width / 24;

const totalOf = (hour: Hour): number => hour.delivered + hour.retried + hour.failed;

/** One bar of an hour: its outcomes above each other, at least 3 px each. */
const Bar = ({
  hour,
  at,
  highest,
  title,
}: {
  readonly hour: Hour;
  readonly at: number;
  readonly highest: number;
  readonly title: string;
}) => {
  let top = height;
  return (
    <g>
      <title>{title}</title>
      <rect x={at * step} y={0} width={step} height={height} class="bar-ground" />
      {totalOf(hour) === 0 && <rect x={at * step + 3} y={height - 2} width={step - 6} height={2} class="bar-none" />}
      {outcomes.map((outcome) => {
        if (hour[outcome] === 0) return null;
        const tall = Math.max(3, (hour[outcome] / highest) * (height - 8));
        top -= tall;
        return <rect key={outcome} x={at * step + 3} y={top} width={step - 6} height={tall} class={`bar-${outcome}`} />;
      })}
    </g>
  );
};

/** The deliveries of the last day by hour. Its legend holds the sums as text. */
export const Chart = ({ lastDay: { hours, isPartial } }: { readonly lastDay: LastDay }) => {
  const { formatAgo, formatNumber, formatTime } = useSurroundings();
  const sums = outcomes.map((outcome) => ({ outcome, count: hours.reduce((sum, hour) => sum + hour[outcome], 0) }));
  const highest = Math.max(1, ...hours.map(totalOf));
  const inWords = sums.map(({ outcome, count }) => `${formatNumber(count)} ${labels[outcome].toLowerCase()}`).join(', ');
  const [first, last] = [hours.at(0), hours.at(-1)];
  const titleOf = (hour: Hour) =>
    `${formatTime(new Date(hour.startMs).toISOString())}: ${outcomes.map((outcome) => `${hour[outcome]} ${labels[outcome].toLowerCase()}`).join(', ')}`;
  return (
    <figure class="chart">
      <figcaption>
        <h3>Last 24 hours</h3>
        <ul class="legend">
          {sums.map(({ outcome, count }) => (
            <li key={outcome}>
              <i class={`key-${outcome}`} />
              {labels[outcome]} <strong>{formatNumber(count)}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Deliveries of the last 24 hours: ${inWords}.`}
      >
        {hours.map((hour, at) => (
          <Bar key={hour.startMs} hour={hour} at={at} highest={highest} title={titleOf(hour)} />
        ))}
      </svg>
      <p class="axis">
        <span>{first && formatAgo(new Date(first.startMs).toISOString())}</span>
        <span>{last && 'now'}</span>
      </p>
      {isPartial && <p class="hint">Only the newest 1,000 deliveries of each endpoint are counted.</p>}
    </figure>
  );
};
