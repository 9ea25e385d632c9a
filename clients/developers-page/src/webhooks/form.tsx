import { useState } from 'preact/hooks';
import { type EventType, eventTypes } from '../../../../shared/domain/event/types.ts';
import type { Endpoint } from '../contract.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/parts.tsx';
import { useWork } from '../ui/work.ts';

interface EndpointFormProps {
  /** Absent: create an endpoint. */
  readonly of?: Endpoint;
  /** With the secret if the endpoint is new. */
  readonly onSaved: (endpoint: Endpoint & { readonly secret?: string }) => void;
  readonly onClose: () => void;
}

const nouns = [...new Set(eventTypes.map((type) => type.split('.')[0] ?? ''))];
const titleOf = (noun: string): string => `${noun.charAt(0).toUpperCase()}${noun.slice(1).replace('_', ' ')}`;

export const EndpointForm = ({ of: endpoint, onSaved, onClose }: EndpointFormProps) => {
  const work = useWork();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [events, setEvents] = useState<ReadonlySet<EventType>>(new Set(endpoint?.events ?? []));
  const choose = (types: readonly EventType[], chosen: boolean) => {
    const next = new Set(events);
    for (const type of types) chosen ? next.add(type) : next.delete(type);
    setEvents(next);
  };
  const save = () =>
    work.run(async (change) => {
      const input = { url: url.trim(), description, events: eventTypes.filter((type) => events.has(type)) };
      const saved = endpoint ? await change('webhook.update', { id: endpoint.id, ...input }) : await change('webhook.create', input);
      onSaved(saved);
    });
  return (
    <Dialog title={endpoint ? 'Edit endpoint' : 'Add an endpoint'} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label>
          URL
          <input
            autofocus
            required
            type="url"
            inputMode="url"
            autocomplete="off"
            placeholder="https://example.com/hooks"
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        </label>
        <label>
          Description
          <input autocomplete="off" value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
        </label>
        <fieldset>
          <legend>Events</legend>
          <div class="buttons">
            <button type="button" onClick={() => choose(eventTypes, true)}>
              All
            </button>
            <button type="button" onClick={() => choose(eventTypes, false)}>
              None
            </button>
          </div>
          <div class="event-types">
            {nouns.map((noun) => (
              <div key={noun}>
                <p>{titleOf(noun)}</p>
                {eventTypes
                  .filter((type) => type.startsWith(`${noun}.`))
                  .map((type) => (
                    <label class="choice" key={type}>
                      <input type="checkbox" checked={events.has(type)} onChange={(event) => choose([type], event.currentTarget.checked)} />
                      <code>{type}</code>
                    </label>
                  ))}
              </div>
            ))}
          </div>
        </fieldset>
        <Problem failure={work.failure} />
        <footer class="buttons">
          <button type="submit" class="primary" aria-disabled={work.busy}>
            {endpoint ? 'Save' : 'Add endpoint'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  );
};
