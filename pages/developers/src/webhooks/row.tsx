import type { Endpoint } from '../contract.ts';
import { Menu } from '../ui/menu.tsx';
import { Badge, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { type EndpointProps, useEndpointActions } from './actions.tsx';
import { Health, healthHint } from './health.tsx';

/** Descriptions of the endpoints that the commands for listening register while they run. */
const listeners = /^Temporary: (ops listen|bakery-listen)$/;

export const Description = ({ endpoint: { description } }: { readonly endpoint: Endpoint }) => {
  const [, command] = listeners.exec(description) ?? [];
  if (command === undefined) return <>{description}</>;
  return (
    <>
      <Badge tone="waiting">Temporary</Badge> until {command} ends
    </>
  );
};

const EndpointRow = (props: EndpointProps) => {
  const { show, formatPercent } = useSurroundings();
  const { first, others, outcome } = useEndpointActions(props);
  const { endpoint, rate } = props;
  const { id, url, description, events, delivery_stats: stats } = endpoint;
  const open = () => show('webhooks', '', id);
  return (
    <tr
      class="opens"
      onClick={({ target }) => {
        if (!(target as Element).closest('.row-action, .row-note')) open();
      }}
    >
      <th scope="row">
        <button type="button" class="link" title={url}>
          {url}
        </button>
      </th>
      <td data-label="Description" class={description === '' ? 'absent' : undefined} title={description}>
        <Description endpoint={endpoint} />
      </td>
      <td data-label="Status" title={healthHint(endpoint)}>
        <Health endpoint={endpoint} />
      </td>
      <td data-label="Success rate" class={rate === undefined ? 'number absent' : 'number'}>
        {rate === undefined ? '–' : formatPercent(rate)}
      </td>
      <td data-label="Last delivery" class={stats.last_delivery_at === null ? 'absent' : undefined}>
        <Time iso={stats.last_delivery_at} />
      </td>
      <td data-label="Events" title={events.join(', ')}>
        {events.length === 1 ? events[0] : `${events.length} event types`}
      </td>
      <td class="row-action">
        <Menu label={`Actions for ${url}`} items={[...first, ...others]} />
      </td>
      <td class="row-note">{outcome}</td>
    </tr>
  );
};

export const EndpointTable = ({ rows, isBusy }: { readonly rows: readonly EndpointProps[]; readonly isBusy: boolean }) => (
  <table class="rows endpoints" aria-busy={isBusy}>
    <caption>Endpoints</caption>
    <thead>
      <tr>
        <th scope="col">Endpoint</th>
        <th scope="col">Description</th>
        <th scope="col">Status</th>
        <th scope="col" class="number" title="Delivered events of the last 24 hours">
          Success rate
        </th>
        <th scope="col">Last delivery</th>
        <th scope="col">Events</th>
        <td />
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <EndpointRow key={row.endpoint.id} {...row} />
      ))}
    </tbody>
  </table>
);
