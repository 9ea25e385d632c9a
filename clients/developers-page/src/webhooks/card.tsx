import { useState } from 'preact/hooks';
import type { Endpoint, PageAnswers } from '../contract.ts';
import { Problem, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useWork } from '../ui/work.ts';
import { failuresHint, Health } from './health.tsx';
import { TestOutcome } from './test-result.tsx';

interface CardProps {
  readonly of: Endpoint;
  readonly onChanged: () => Promise<void>;
  readonly onRotate: () => void;
  readonly onDelete: () => void;
  readonly onEdit: () => void;
  readonly onDeliveries: () => void;
}

export const EndpointCard = ({ of: endpoint, onChanged, onRotate, onDelete, onEdit, onDeliveries }: CardProps) => {
  const { announce, formatNumber } = useSurroundings();
  const work = useWork();
  const [result, setResult] = useState<PageAnswers['webhook.test']>();
  const { id, url, description, events, enabled, delivery_stats: stats } = endpoint;
  const hint = failuresHint(endpoint);
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
  return (
    <li class="card">
      <div class="card-head">
        <div>
          <h3>{url}</h3>
          <p>{description}</p>
        </div>
        <Health of={endpoint} />
      </div>
      <dl class="facts">
        <div>
          <dt>Delivered</dt>
          <dd>{formatNumber(stats.success_count)}</dd>
        </div>
        <div>
          <dt>Failed</dt>
          <dd>{formatNumber(stats.failure_count)}</dd>
        </div>
        <div>
          <dt>Failures in a row</dt>
          <dd>{formatNumber(stats.consecutive_failures)}</dd>
        </div>
        <div>
          <dt>Last delivery</dt>
          <dd>
            <Time iso={stats.last_delivery_at} absent="None yet" />
          </dd>
        </div>
      </dl>
      {hint && <p class="hint">{hint}</p>}
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
      <div role="status">{result && <TestOutcome result={result} />}</div>
      <Problem failure={work.failure} />
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, no fields */}
      <div class="buttons" role="group" aria-label={url}>
        {enabled && (
          <button type="button" aria-disabled={work.busy} onClick={test}>
            {work.busy ? 'Working…' : 'Send test'}
          </button>
        )}
        <button type="button" onClick={onDeliveries}>
          Deliveries
        </button>
        <button type="button" onClick={onEdit}>
          Edit
        </button>
        <button type="button" onClick={onRotate}>
          Rotate secret
        </button>
        <button type="button" aria-disabled={work.busy} onClick={toggle}>
          {enabled ? 'Disable' : 'Enable'}
        </button>
        <button type="button" class="danger-quiet" onClick={onDelete}>
          Delete
        </button>
      </div>
    </li>
  );
};
