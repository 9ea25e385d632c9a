import { useRef, useState } from 'preact/hooks';
import { endpointsPerAccount } from '../../../../shared/domain/webhook/record.ts';
import type { Change, Endpoint } from '../contract.ts';
import type { DeliveryFilters } from '../deliveries/feed.ts';
import { Confirm } from '../ui/confirm.tsx';
import { ShownOnce } from '../ui/once.tsx';
import { Empty, Loading, PanelHead, Problem } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded } from '../ui/work.ts';
import { Chart } from './chart.tsx';
import { DisabledBanner } from './disabled-banner.tsx';
import { FailingBanner } from './failing-banner.tsx';
import { EndpointForm } from './form.tsx';
import { isNearlyDisabled, wasDisabledByFailures } from './health.tsx';
import { hasDeliveries, readLastDay } from './last-day.ts';
import { EndpointRow } from './row.tsx';

/** The dialog above the list. */
type Open =
  | { readonly what: 'create' }
  | { readonly what: 'edit' | 'rotate' | 'delete'; readonly endpoint: Endpoint }
  | { readonly what: 'secret'; readonly title: string; readonly secret: string; readonly note: string };

export const WebhooksPanel = ({ onDeliveries }: { readonly onDeliveries: (filters: Partial<DeliveryFilters>) => void }) => {
  const { read, announce, formatTime } = useSurroundings();
  const heading = useRef<HTMLHeadingElement>(null);
  const [refreshes, setRefreshes] = useState(0);
  const endpoints = useLoaded(async () => (await read('webhook.list', {})).data, 'endpoints');
  const listed = endpoints.value ?? [];
  const day = useLoaded(() => readLastDay(read, listed, Date.now()), JSON.stringify([refreshes, listed.map(({ id }) => id)]));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const add = (
    <button type="button" class="primary" onClick={() => setOpen({ what: 'create' })}>
      Add endpoint
    </button>
  );

  const saved = async (endpoint: Endpoint & { readonly secret?: string }) => {
    close();
    if (endpoint.secret !== undefined)
      setOpen({
        what: 'secret',
        title: 'Your signing secret',
        secret: endpoint.secret,
        note: `Verify the X-Webhook-Signature of every delivery to ${endpoint.url} with it.`,
      });
    await endpoints.reload();
    announce(`${endpoint.url} is saved.`);
  };
  const rotate = async (change: Change, { id }: Endpoint) => {
    const { secret, previous_secret_expires_at } = await change('webhook.rotate_secret', { id });
    setOpen({
      what: 'secret',
      title: 'Your new signing secret',
      secret,
      note: `Deliveries are signed with it from now on, and with the previous one beside it until ${formatTime(previous_secret_expires_at)}.`,
    });
  };
  const remove = async (change: Change, { id, url }: Endpoint) => {
    await change('webhook.delete', { id });
    close();
    await endpoints.reload();
    announce(`${url} is deleted.`);
    heading.current?.focus();
  };

  return (
    <>
      <PanelHead title="Webhooks" intro="Each endpoint receives the events of your bakery as they happen." heading={heading}>
        <button
          type="button"
          onClick={() => {
            setRefreshes((now) => now + 1);
            void endpoints.reload();
          }}
        >
          Refresh
        </button>
        {endpoints.value && endpoints.value.length > 0 && endpoints.value.length < endpointsPerAccount && add}
      </PanelHead>
      <Problem failure={endpoints.failure} onRetry={endpoints.reload} />
      {!endpoints.value && endpoints.loading && <Loading what="endpoints" />}
      {endpoints.value?.length === 0 && (
        <Empty title="No endpoints yet" listens action={add}>
          Add the URL of your server to receive the events of your bakery.
        </Empty>
      )}
      {endpoints.value && endpoints.value.length > 0 && (
        <>
          {endpoints.value.filter(wasDisabledByFailures).map((endpoint) => (
            <DisabledBanner
              key={endpoint.id}
              endpoint={endpoint}
              onDone={async (words) => {
                await endpoints.reload();
                announce(words);
                heading.current?.focus();
              }}
            />
          ))}
          {endpoints.value.filter(isNearlyDisabled).map((endpoint) => (
            <FailingBanner key={endpoint.id} endpoint={endpoint} onDeliveries={() => onDeliveries({ endpoint: endpoint.id })} />
          ))}
          {day.value && hasDeliveries(day.value) && <Chart lastDay={day.value} />}
          <table class="rows endpoints" aria-busy={endpoints.loading}>
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
              {endpoints.value.map((endpoint) => (
                <EndpointRow
                  key={endpoint.id}
                  endpoint={endpoint}
                  rate={day.value?.rates.get(endpoint.id)}
                  onChanged={endpoints.reload}
                  onEdit={() => setOpen({ what: 'edit', endpoint })}
                  onRotate={() => setOpen({ what: 'rotate', endpoint })}
                  onDelete={() => setOpen({ what: 'delete', endpoint })}
                  onDeliveries={() => onDeliveries({ endpoint: endpoint.id })}
                />
              ))}
            </tbody>
          </table>
        </>
      )}
      {open?.what === 'create' && <EndpointForm onSaved={saved} onClose={close} />}
      {open?.what === 'edit' && <EndpointForm endpoint={open.endpoint} onSaved={saved} onClose={close} />}
      {open?.what === 'rotate' && (
        <Confirm title="Rotate the secret?" action="Rotate secret" onConfirm={(change) => rotate(change, open.endpoint)} onClose={close}>
          <p>
            <code>{open.endpoint.url}</code> gets a new signing secret at once. The present secret stays valid for 24 hours, so that you can
            change it without losing an event. A secret from an earlier rotation ends now.
          </p>
        </Confirm>
      )}
      {open?.what === 'delete' && (
        <Confirm
          title="Delete the endpoint?"
          action="Delete endpoint"
          danger
          onConfirm={(change) => remove(change, open.endpoint)}
          onClose={close}
        >
          <p>
            <code>{open.endpoint.url}</code> receives no more events, and its deliveries are no longer shown. This cannot be undone.
          </p>
        </Confirm>
      )}
      {open?.what === 'secret' && (
        <ShownOnce
          title={open.title}
          label="Signing secret"
          value={open.secret}
          note={open.note}
          onDone={() => {
            close();
            heading.current?.focus();
          }}
        />
      )}
    </>
  );
};
