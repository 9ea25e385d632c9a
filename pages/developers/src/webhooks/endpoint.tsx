import type { RefObject } from 'preact';
import { DeliveriesPanel } from '../deliveries/panel.tsx';
import { Copyable } from '../ui/copyable.tsx';
import { Menu } from '../ui/menu.tsx';
import { Empty, PanelHead, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { type EndpointProps, useEndpointActions } from './actions.tsx';
import { Health, healthHint, isNearlyDisabled, wasDisabledByFailures } from './health.tsx';
import { Description } from './row.tsx';

interface EndpointHeadProps extends EndpointProps {
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

/** The heading of an endpoint's page: its URL and health, and what a merchant can do with it. */
export const EndpointHead = ({ heading, ...props }: EndpointHeadProps) => {
  const { show } = useSurroundings();
  const { first, others, outcome } = useEndpointActions(props);
  const { endpoint } = props;
  return (
    <>
      <PanelHead
        title={endpoint.url}
        heading={heading}
        back={
          <button type="button" class="link" onClick={() => show('webhooks', '')}>
            Webhooks
          </button>
        }
        live={<Health endpoint={endpoint} />}
      >
        {first.map(({ label, onChoose }) => (
          <button type="button" key={label} onClick={onChoose}>
            {label}
          </button>
        ))}
        <Menu label={`Actions for ${endpoint.url}`} items={others} />
      </PanelHead>
      {outcome}
    </>
  );
};

/** The settings of an endpoint and how its deliveries go. */
export const EndpointFacts = ({ endpoint, rate }: Pick<EndpointProps, 'endpoint' | 'rate'>) => {
  const { formatPercent } = useSurroundings();
  const { id, url, description, events, created_at, delivery_stats: stats } = endpoint;
  // A banner says it in full.
  const hint = isNearlyDisabled(endpoint) || wasDisabledByFailures(endpoint) ? undefined : healthHint(endpoint);
  return (
    <section class="card" aria-label="Settings">
      <dl class="pairs">
        <dt>URL</dt>
        <dd>
          <Copyable text={url} what="URL" />
        </dd>
        <dt>Id</dt>
        <dd>
          <Copyable text={id} what="Endpoint id" />
        </dd>
        {description !== '' && (
          <>
            <dt>Description</dt>
            <dd>
              <Description endpoint={endpoint} />
            </dd>
          </>
        )}
        <dt>Success rate</dt>
        <dd>{rate === undefined ? 'No delivery ended in the last 24 hours' : `${formatPercent(rate)} in the last 24 hours`}</dd>
        <dt>Last success</dt>
        <dd>
          <Time iso={stats.last_success_at} absent="None yet" />
        </dd>
        <dt>Last failure</dt>
        <dd>
          <Time iso={stats.last_failure_at} absent="None yet" />
          {hint !== undefined && <span class="hint"> · {hint}</span>}
        </dd>
        <dt>Created</dt>
        <dd>
          <Time iso={created_at} />
        </dd>
        <dt>Events</dt>
        <dd>
          <ul class="scopes">
            {events.map((type) => (
              <li key={type}>{type}</li>
            ))}
          </ul>
        </dd>
      </dl>
    </section>
  );
};

interface EndpointLogProps extends Pick<EndpointProps, 'endpoint'> {
  readonly query: string;
  /** The open delivery, `<endpoint>/<event>`; empty: none. */
  readonly item: string;
}

/** The deliveries to one endpoint. They are read again once it is enabled or disabled. */
export const EndpointLog = ({ endpoint: { id, enabled }, query, item }: EndpointLogProps) => (
  <DeliveriesPanel key={String(enabled)} view="webhooks" endpoint={id} query={query} item={item} />
);

/** What the address of an endpoint shows that the account does not have. */
export const NoSuchEndpoint = () => {
  const { show } = useSurroundings();
  return (
    <Empty
      title="No such endpoint"
      action={
        <button type="button" onClick={() => show('webhooks', '', '', 'close')}>
          Show webhooks
        </button>
      }
    >
      It was deleted, or another account has it.
    </Empty>
  );
};
