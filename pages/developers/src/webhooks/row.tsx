import { useState } from 'preact/hooks';
import type { Endpoint, PageResults } from '../contract.ts';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { Badge, Problem, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useWork } from '../ui/work.ts';
import { Health, healthHint } from './health.tsx';
import { TestOutcome } from './test-result.tsx';

interface RowProps {
  readonly endpoint: Endpoint;
  /** Share of delivered ones on the last day; undefined if nothing ended. */
  readonly rate: number | undefined;
  readonly onChanged: () => Promise<void>;
  readonly onRotate: () => void;
  readonly onDelete: () => void;
  readonly onEdit: () => void;
  readonly onDeliveries: () => void;
}

const EventTypes = ({ endpoint: { events } }: { readonly endpoint: Endpoint }) => (
  <details>
    <summary>
      {events.length} {events.length === 1 ? 'event type' : 'event types'}
    </summary>
    <ul class="scopes">
      {events.map((type) => (
        <li key={type}>{type}</li>
      ))}
    </ul>
  </details>
);

/** Descriptions of the endpoints that the commands for listening register while they run. */
const listeners = /^Temporary: (ops listen|bakery-listen)$/;

const Description = ({ endpoint: { description } }: { readonly endpoint: Endpoint }) => {
  const [, command] = listeners.exec(description) ?? [];
  if (command === undefined) return <>{description}</>;
  return (
    <>
      <Badge tone="waiting">Temporary</Badge> until {command} ends
    </>
  );
};

export const EndpointRow = ({ endpoint, rate, onChanged, onRotate, onDelete, onEdit, onDeliveries }: RowProps) => {
  const { announce, formatPercent } = useSurroundings();
  const work = useWork();
  const [result, setResult] = useState<PageResults['webhook.test']>();
  const { id, url, description, enabled, delivery_stats: stats } = endpoint;
  const test = () =>
    work.run(async (change) => {
      setResult(undefined);
      setResult(await change('webhook.test', { id }));
    });
  const toggle = () =>
    work.run(async (change) => {
      await change(enabled ? 'webhook.disable' : 'webhook.enable', { id });
      setResult(undefined);
      await onChanged();
      announce(`${url} is ${enabled ? 'disabled' : 'enabled'}.`);
    });
  const items: MenuItem[] = [
    ...(enabled ? [{ label: 'Send test', onChoose: test }] : []),
    { label: 'Deliveries', onChoose: onDeliveries },
    { label: 'Edit', onChoose: onEdit },
    { label: 'Rotate secret', onChoose: onRotate },
    { label: enabled ? 'Disable' : 'Enable', onChoose: toggle },
    { label: 'Delete', onChoose: onDelete, danger: true },
  ];
  return (
    <tr>
      <th scope="row">
        <button type="button" class="link" title={url} onClick={onDeliveries}>
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
      <td data-label="Events">
        <EventTypes endpoint={endpoint} />
      </td>
      <td class="row-action">
        <Menu label={`Actions for ${url}`} items={items} />
      </td>
      <td class="row-note">
        <div role="status">
          {work.busy && <p class="hint">Working…</p>}
          {result && <TestOutcome result={result} />}
        </div>
        <Problem failure={work.failure} />
      </td>
    </tr>
  );
};
