import { useId, useState } from 'preact/hooks';
import { type EventType, eventTypes } from '../../../../shared/domain/event/types.ts';
import type { Endpoint } from '../contract.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FieldError, type FieldErrors, focusInvalid, TextField, withServiceError } from '../ui/field.tsx';
import { FormButtons, Problem, RetryHint } from '../ui/parts.tsx';
import { useWork } from '../ui/work.ts';

interface EndpointFormProps {
  /** Absent: create an endpoint. */
  readonly endpoint?: Endpoint;
  /** With the secret if the endpoint is new. */
  readonly onSaved: (endpoint: Endpoint & { readonly secret?: string }) => void;
  readonly onClose: () => void;
}

const nouns = [...new Set(eventTypes.map((type) => type.split('.')[0] ?? ''))];
const titleOf = (noun: string): string => `${noun.charAt(0).toUpperCase()}${noun.slice(1).replace('_', ' ')}`;

const urlError = (url: string): string | undefined => {
  if (url === '') return 'Enter the URL of your server.';
  if (!URL.canParse(url)) return 'Enter a whole URL, for example https://example.com/hooks.';
  return /^https?:$/.test(new URL(url).protocol) ? undefined : 'The URL must start with https://.';
};

const EventFields = ({
  chosen,
  onChoose,
  error,
}: {
  readonly chosen: ReadonlySet<EventType>;
  readonly onChoose: (types: readonly EventType[], chosen: boolean) => void;
  readonly error: string | undefined;
}) => {
  const id = useId();
  return (
    <fieldset aria-describedby={error === undefined ? undefined : id}>
      <legend>Events</legend>
      <div class="buttons">
        <button type="button" class="small" onClick={() => onChoose(eventTypes, true)}>
          All
        </button>
        <button type="button" class="small" onClick={() => onChoose(eventTypes, false)}>
          None
        </button>
      </div>
      <FieldError id={id} error={error} />
      <div class="event-types">
        {nouns.map((noun) => (
          <div key={noun}>
            <p>{titleOf(noun)}</p>
            {eventTypes
              .filter((type) => type.startsWith(`${noun}.`))
              .map((type) => (
                <label class="choice" key={type}>
                  <input type="checkbox" checked={chosen.has(type)} onChange={(event) => onChoose([type], event.currentTarget.checked)} />
                  <code>{type}</code>
                </label>
              ))}
          </div>
        ))}
      </div>
    </fieldset>
  );
};

const longestDescription = 500;

export const EndpointForm = ({ endpoint, onSaved, onClose }: EndpointFormProps) => {
  const work = useWork();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [events, setEvents] = useState<ReadonlySet<EventType>>(
    // A type that this page does not know cannot be chosen here.
    new Set(eventTypes.filter((type) => endpoint?.events.includes(type))),
  );
  const choose = (types: readonly EventType[], chosen: boolean) => {
    const next = new Set(events);
    for (const type of types) chosen ? next.add(type) : next.delete(type);
    setEvents(next);
  };
  const [sent, setSent] = useState(false);
  const found: FieldErrors = {
    url: urlError(url.trim()),
    description: description.length > longestDescription ? `Enter at most ${longestDescription} characters.` : undefined,
    events: events.size === 0 ? 'Choose at least one event type.' : undefined,
  };
  const isValid = Object.values(found).every((error) => error === undefined);
  const errors = withServiceError(sent ? found : {}, work.failure);
  const save = () =>
    work.run(async (change) => {
      const input = { url: url.trim(), description, events: eventTypes.filter((type) => events.has(type)) };
      const saved = endpoint ? await change('webhook.update', { id: endpoint.id, ...input }) : await change('webhook.create', input);
      onSaved(saved);
    });
  return (
    <Dialog title={endpoint ? 'Edit endpoint' : 'Add an endpoint'} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setSent(true);
          if (isValid) void save();
          else focusInvalid(event.currentTarget);
        }}
      >
        <TextField
          label="URL"
          autofocus
          required
          type="url"
          placeholder="https://example.com/hooks"
          value={url}
          error={errors['url']}
          onText={setUrl}
        />
        <TextField label="Description (optional)" value={description} error={errors['description']} onText={setDescription} />
        <EventFields chosen={events} onChoose={choose} error={errors['events']} />
        {!work.failure?.field && <Problem failure={work.failure} />}
        {!endpoint && <RetryHint failure={work.failure} />}
        <FormButtons busy={work.busy} action={endpoint ? 'Save' : 'Add endpoint'} onClose={onClose} />
      </form>
    </Dialog>
  );
};
