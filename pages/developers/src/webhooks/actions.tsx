import { useState } from 'preact/hooks';
import type { Endpoint, PageResults } from '../contract.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { Problem } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useWork } from '../ui/work.ts';
import { TestOutcome } from './test-result.tsx';

export interface EndpointProps {
  readonly endpoint: Endpoint;
  /** Share of delivered ones on the last day; undefined if nothing ended. */
  readonly rate: number | undefined;
  readonly onChanged: () => Promise<void>;
  readonly onEdit: () => void;
  readonly onRotate: () => void;
  readonly onDelete: () => void;
}

/** What a merchant can do with an endpoint: the first actions are the most frequent. `outcome` shows their results. */
export const useEndpointActions = ({ endpoint: { id, url, enabled }, onChanged, onEdit, onRotate, onDelete }: EndpointProps) => {
  const { announce } = useSurroundings();
  const work = useWork();
  const [result, setResult] = useState<PageResults['webhook.test']>();
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
  const first: MenuItem[] = [...(enabled ? [{ label: 'Send test', onChoose: test }] : []), { label: 'Edit', onChoose: onEdit }];
  const others: MenuItem[] = [
    { label: 'Rotate secret', onChoose: onRotate },
    { label: enabled ? 'Disable' : 'Enable', onChoose: toggle },
    { label: 'Delete', onChoose: onDelete, danger: true },
  ];
  const outcome = (
    <>
      <div role="status">
        {work.busy && <p class="hint">Working…</p>}
        {result && <TestOutcome result={result} />}
      </div>
      <Problem failure={work.failure} />
    </>
  );
  return { first, others, outcome };
};
