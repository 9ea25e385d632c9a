import { useMemo, useRef, useState } from 'preact/hooks';
import { endpointsPerAccount } from '../../../../shared/domain/webhook/record.ts';
import type { Change, Endpoint } from '../contract.ts';
import { Confirm } from '../ui/confirm.tsx';
import { useLive } from '../ui/live.tsx';
import { ShownOnce } from '../ui/once.tsx';
import { Empty, Loading, PanelHead, Problem } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded } from '../ui/work.ts';
import { Chart } from './chart.tsx';
import { DisabledBanner } from './disabled-banner.tsx';
import { EndpointFacts, EndpointHead, EndpointLog, NoSuchEndpoint } from './endpoint.tsx';
import { FailingBanner } from './failing-banner.tsx';
import { EndpointForm } from './form.tsx';
import { isNearlyDisabled, wasDisabledByFailures } from './health.tsx';
import { hasDeliveries, lastDayOf, readDayLogs, refreshDayLogs } from './last-day.ts';
import { EndpointTable } from './row.tsx';

const liveEveryMs = 15_000;

/** The dialog above the list. */
type Open =
  | { readonly what: 'create' }
  | { readonly what: 'edit' | 'rotate' | 'delete'; readonly endpoint: Endpoint }
  | { readonly what: 'secret'; readonly title: string; readonly secret: string; readonly note: string };

interface WebhooksPanelProps {
  /** The filters of the open endpoint's deliveries. */
  readonly query: string;
  /** The open endpoint, `<endpoint>`, or one of its deliveries, `<endpoint>/<event>`; empty: the list. */
  readonly item: string;
}

/** The list of endpoints, or the page of one. */
export const WebhooksPanel = ({ query, item }: WebhooksPanelProps) => {
  const { read, show, announce, formatTime } = useSurroundings();
  const heading = useRef<HTMLHeadingElement>(null);
  const [refreshes, setRefreshes] = useState(0);
  const endpoints = useLoaded(async () => (await read('webhook.list', {})).data, 'endpoints');
  const [endpointId = ''] = item.split('/');
  const only = endpoints.value?.find(({ id }) => id === endpointId);
  const listed = endpointId === '' ? (endpoints.value ?? []) : only ? [only] : [];
  const ids = listed.map(({ id }) => id).join();
  const dayLogs = useLoaded(async () => ({ ids, logs: await readDayLogs(read, listed, Date.now()) }), [refreshes, ids].join());
  // The page of one endpoint follows its deliveries.
  const refreshDay = async () => {
    const before = dayLogs.value;
    const logs = before && (await refreshDayLogs(before.logs));
    if (logs) dayLogs.replace((now) => (now === before ? { ids: now.ids, logs } : now));
    else if (!dayLogs.loading) await dayLogs.reload();
  };
  useLive(async () => {
    if (only && !endpoints.loading) await Promise.all([endpoints.reload(), refreshDay()]);
  }, liveEveryMs);
  // Up to 1,000 deliveries of each endpoint are counted once for each read.
  const day = useMemo(() => dayLogs.value && lastDayOf(dayLogs.value.logs, Date.now()), [dayLogs.value]);
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
    endpoints.replace((all) => all.filter((one) => one.id !== id));
    show('webhooks', '', '', 'close');
    announce(`${url} is deleted.`);
    heading.current?.focus();
  };

  const propsOf = (endpoint: Endpoint) => ({
    endpoint,
    rate: day?.rates.get(endpoint.id),
    onChanged: endpoints.reload,
    onEdit: () => setOpen({ what: 'edit', endpoint }),
    onRotate: () => setOpen({ what: 'rotate', endpoint }),
    onDelete: () => setOpen({ what: 'delete', endpoint }),
  });
  const chart = day && dayLogs.value?.ids === ids && hasDeliveries(day) && <Chart lastDay={day} />;
  return (
    <>
      {only ? (
        <EndpointHead key={only.id} heading={heading} {...propsOf(only)} />
      ) : (
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
      )}
      <Problem failure={endpoints.failure} onRetry={endpoints.reload} />
      {!endpoints.value && endpoints.loading && <Loading what="endpoints" />}
      {endpoints.value && endpointId !== '' && !only && <NoSuchEndpoint />}
      {endpoints.value?.length === 0 && endpointId === '' && (
        <Empty title="No endpoints yet" listens action={add}>
          Add the URL of your server to receive the events of your bakery.
        </Empty>
      )}
      {listed.filter(wasDisabledByFailures).map((endpoint) => (
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
      {listed.filter(isNearlyDisabled).map((endpoint) => (
        <FailingBanner key={endpoint.id} endpoint={endpoint} onOpen={only ? undefined : () => show('webhooks', '', endpoint.id)} />
      ))}
      {only && (
        <>
          <div class="endpoint">
            <EndpointFacts {...propsOf(only)} />
            {chart}
          </div>
          <EndpointLog endpoint={only} query={query} item={item.includes('/') ? item : ''} />
        </>
      )}
      {endpointId === '' && listed.length > 0 && (
        <>
          {chart}
          <EndpointTable isBusy={endpoints.loading} rows={listed.map(propsOf)} />
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
