import { eventTypes, testEventType } from '../shared/domain/event/types.ts';
import { deliveryHeaders, newSecret } from '../shared/webhooks/signing.ts';
import type { Recording } from './examples/stage.ts';
import { type JsonSchema, pascal, ref, type Schemas } from './json-schema.ts';
import { type AnyEventType, eventWords } from './words/all.ts';

export const allEventTypes: readonly AnyEventType[] = [...eventTypes, testEventType];

/** Returns the schema's name of an event type, for example `OrderStatusChangedEvent`. */
const eventName = (type: string): string => `${pascal(type)}Event`;

const envelopeOf = (type: AnyEventType, schemas: Schemas): JsonSchema => ({
  type: 'object',
  description: `${eventWords[type].summary}.`,
  properties: {
    id: {
      type: 'string',
      pattern: '^evt_',
      description: 'The same in every delivery and to every endpoint: ignore an id that you have seen.',
    },
    type: { type: 'string', const: type, description: 'Type of the event.' },
    created: { type: 'integer', description: 'Unix seconds of the change, not of the attempt.' },
    api_version: { type: 'string', const: 'v1', description: 'Version of this envelope, independent of the API.' },
    data: {
      type: 'object',
      description: 'Holds the record after the change, or the message of a test event.',
      properties: { object: schemas.of(eventWords[type].object) },
      required: ['object'],
    },
    tenant_id: { type: 'string', description: 'Id of the account.' },
  },
  required: ['id', 'type', 'created', 'api_version', 'data', 'tenant_id'],
});

/** Returns the schema of every event by name, and `Event`, their union. */
export const eventSchemas = (schemas: Schemas): Readonly<Record<string, JsonSchema>> => ({
  ...Object.fromEntries(allEventTypes.map((type) => [eventName(type), envelopeOf(type, schemas)])),
  Event: {
    description: 'Any event that an endpoint receives.',
    oneOf: allEventTypes.map((type) => ref(eventName(type))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(allEventTypes.map((type) => [type, `#/components/schemas/${eventName(type)}`])),
    },
  },
});

const signature: JsonSchema = { type: 'string', pattern: '^t=\\d+,v1=[0-9a-f]{64}$' };

const headerTexts: Readonly<Record<string, readonly [text: string, schema: JsonSchema, optional?: true]>> = {
  'X-Webhook-Signature': [
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the whole signing secret. Every attempt has a `t` of its own. The example is that of `webhook.test`, signed with the secret that registering an endpoint for every type shows.',
    signature,
  ],
  'X-Webhook-Id': ['Id of the event.', { type: 'string' }],
  'X-Webhook-Timestamp': ['Unix seconds, equal to `t`.', { type: 'integer' }],
  'Idempotency-Key': ['Id of the event.', { type: 'string' }],
  'X-Webhook-Signature-Previous': ['The same with the secret that was replaced; for 24 hours after a rotation.', signature, true],
  'User-Agent': ['Name and version of the sender, the same on test events.', { type: 'string' }],
};

const component = (name: string): string => name.replaceAll('-', '');

/**
 * Returns the headers of a test event's delivery, signed with the secret in the example of a
 * registration.
 */
const headersOfExample = ({ calls, events: recorded }: Recording): Readonly<Record<string, string>> => {
  const event = recorded.find(({ type }) => type === testEventType);
  const registered = calls.findLast(({ operation, status }) => operation === 'createWebhook' && status === 201)?.responseBody;
  const { secret = '' } = (registered ?? {}) as { secret?: string };
  return deliveryHeaders({
    eventId: String(event?.id),
    secret,
    previousSecret: newSecret({ bytes: (size) => Buffer.alloc(size) }),
    nowMs: Number(event?.['created'] ?? 0) * 1000,
    body: JSON.stringify(event ?? {}),
  });
};

/**
 * Returns the headers of every delivery as parameters. Throws if a header has no description. OpenAPI
 * ignores parameters with the names `Content-Type` and `Accept`.
 */
export const deliveryParameters = (recording: Recording): Readonly<Record<string, JsonSchema>> => {
  const { 'Content-Type': _, Accept: __, ...sent } = headersOfExample(recording);
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const [description, schema, optional] = headerTexts[name] ?? [];
      if (!schema) throw new Error(`Nothing says what ${name} of a delivery is.`);
      const example = schema['type'] === 'integer' ? Number(value) : value;
      return [`Delivery${component(name)}`, { name, in: 'header', required: optional !== true, description, schema, example }];
    }),
  );
};

const deliveryResponses: JsonSchema = {
  '2XX': { description: 'Received. Anything else, a redirect included, and no answer within 30 seconds is a failed attempt.' },
};

/** Returns the `webhooks` of the document. */
export const eventOperations = (recorded: Recording['events']): JsonSchema =>
  Object.fromEntries(
    allEventTypes.map((type) => {
      const example = recorded.find((event) => event.type === type);
      const examples = example ? { examples: { [component(type)]: { summary: eventWords[type].summary, value: example } } } : {};
      return [
        type,
        {
          post: {
            operationId: `on${eventName(type)}`,
            summary: eventWords[type].summary,
            description: eventWords[type].description,
            tags: ['Events'],
            security: [],
            parameters: Object.keys(headerTexts).map((name) => ({ $ref: `#/components/parameters/Delivery${component(name)}` })),
            requestBody: {
              required: true,
              content: { 'application/json': { schema: ref(eventName(type)), ...examples } },
            },
            responses: deliveryResponses,
          },
        },
      ];
    }),
  );
