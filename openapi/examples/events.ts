import { type CreatedByApi, cause, causes, type Made, samplesOn, type Writer } from '../../ops/event-causes.ts';
import { type EventType, eventTypes } from '../../shared/domain/event/types.ts';
import { type Stage, startMs } from './stage.ts';

const capitalized = <Noun extends string>(noun: Noun) => `${noun[0]?.toUpperCase()}${noun.slice(1)}` as Capitalize<Noun>;

/** Name of a creation's example, if the example shows more than the creation. */
const shown: Readonly<Partial<Record<CreatedByApi, readonly [name: string, summary: string]>>> = {
  order: ['details', 'By details of the customer'],
  customer: ['minimal', 'A new customer'],
};

/**
 * Performs the writes that emit each type of event, and records the deliveries. Resolves with the
 * id of their endpoint.
 */
export const playEvents = async (stage: Stage): Promise<string> => {
  const { act, call, heard, hooks, later } = stage;
  const endpoint = await call('createWebhook', 'everything', {
    summary: 'For every type',
    body: { url: `${hooks}/hooks/bakery`, events: [...eventTypes] },
    status: 201,
  });
  const writer: Writer = {
    act,
    create(what, body) {
      const [name, summary] = shown[what] ?? ['announced', 'Announced by an event'];
      return call(`create${capitalized(what)}`, name, { summary, body, status: 201 });
    },
  };
  const samples = samplesOn(startMs);
  // One noun at a time, and each event in its own minute.
  for (const types of Map.groupBy(Object.keys(causes) as EventType[], (type) => type.split('.')[0]).values()) {
    const made: Made = {};
    for (const type of types) {
      later();
      await heard(type, await cause(type, writer, samples, made));
    }
  }
  later();
  await call('testWebhook', 'everything', { summary: 'An endpoint of every type', id: endpoint.id, status: 200 });
  await heard('webhook.test');
  return endpoint.id;
};
