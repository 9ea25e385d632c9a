import { newSecret } from '../../shared/webhooks/signing.ts';
import type { RecordedEvent, Recording } from './stage.ts';

/** Ids contain their time, which is fixed here, and a random part, which a counter replaces. */
const idPattern = /\b([a-z]{2,4})_([0-9a-z]{10})([0-9a-z]{16})/g;
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const secondsOf = (id: string): number =>
  Math.floor([...id.slice(4, 14)].reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0) / 1000);
const secretPattern = /^whsec_/;
const exampleFingerprint = 'ExampleFiltr';
const exampleToken = Buffer.from('an example of a scoped search-only key').toString('base64');

/**
 * Replaces values that differ between runs by equal-looking fixed ones, in the order of their
 * appearance.
 */
export const normalise = ({ calls, events, origins }: Recording & { readonly origins: readonly string[] }): Recording => {
  const [service = '', hooks = ''] = origins;
  const seen = new Map<string, string>();
  const steady = (value: string, make: (count: number) => string): string => {
    const known = seen.get(value) ?? make(seen.size + 1);
    seen.set(value, known);
    return known;
  };

  const text = (value: string): string => {
    if (secretPattern.test(value)) return steady(value, (count) => newSecret({ bytes: (size) => Buffer.alloc(size, count) }));
    return value
      .replaceAll(service, 'https://us.api.example.com')
      .replaceAll(hooks, 'https://bakery.example.com')
      .replace(idPattern, (id, prefix, time) => steady(id, (count) => `${prefix}_${time}${String(count).padStart(16, '0')}`));
  };

  const cursor = (value: string): string => {
    const [version, , position, id] = JSON.parse(Buffer.from(value, 'base64url').toString());
    return Buffer.from(JSON.stringify([version, exampleFingerprint, position, text(id)])).toString('base64url');
  };

  const member = (name: string, value: unknown): unknown => {
    if (typeof value === 'string' && ['next_cursor', 'cursor'].includes(name)) return cursor(value);
    if (name === 'token') return exampleToken;
    return name === 'response_time_ms' && typeof value === 'number' ? 42 : steadied(value);
  };

  const steadied = <Value>(value: Value): Value => {
    if (typeof value === 'string') return text(value) as Value;
    if (Array.isArray(value)) return value.map(steadied) as Value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, member(name, one)])) as Value;
  };

  // The time in the envelope is the change stream's and cannot be fixed, so it is replaced by the
  // time in the id.
  const steadyEvent = ({ event }: RecordedEvent): RecordedEvent => ({
    event: { ...steadied(event), created: secondsOf(String(event['id'])) },
  });

  return { calls: calls.map(steadied), events: events.map(steadyEvent) };
};
